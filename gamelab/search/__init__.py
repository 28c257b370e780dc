"""Searches, compiled and generic: they know games by `gamelab.core.rules` alone."""
