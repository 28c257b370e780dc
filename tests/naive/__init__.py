"""Slow, plain twins of the games, written from the rule texts to check the kernels."""
