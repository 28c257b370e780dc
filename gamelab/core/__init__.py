"""The rules of a game as compiled functions dispatched on the state's dtype, and their Python face."""
