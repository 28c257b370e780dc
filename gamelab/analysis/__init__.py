"""Measuring: what this machine does in a second."""
