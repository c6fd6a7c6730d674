"""The process that Claude Code starts at the end of every turn."""
