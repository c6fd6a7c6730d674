"""Text into sentences, markers into candidates."""
