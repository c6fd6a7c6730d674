"""Score headers and validation records in files."""
