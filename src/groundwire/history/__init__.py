"""The history of composite confidences: day files of JSON lines, kept for a number of days."""
