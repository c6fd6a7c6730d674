"""Registering the hook in Claude Code's settings, and taking it out again."""
