"""Commands of the second look."""
