"""Paths, commands, quotes and edits that the message names, against what the harness knows."""
