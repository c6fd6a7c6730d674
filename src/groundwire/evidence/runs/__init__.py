"""Commands of the turn and their outcomes."""
