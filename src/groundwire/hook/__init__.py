"""One event in, one answer out; the memory of a session and the decision log."""
