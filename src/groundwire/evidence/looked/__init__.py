"""Claims that only a look of a certain sort can carry: re-scans, comparisons, readings."""
