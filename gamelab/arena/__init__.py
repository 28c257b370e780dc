"""Matches, tournaments, the store they are written to, and what follows from the results."""
