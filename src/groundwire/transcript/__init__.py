"""Claude Code's session files: reading their lines and finding the turns in them."""
