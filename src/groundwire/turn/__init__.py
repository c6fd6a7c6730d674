"""What happened in a turn: runs, edits, searches, deeds, and the page that shows them."""
