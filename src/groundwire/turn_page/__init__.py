"""A turn on one page, for a reader or a judge. It tells what was done and judges nothing."""
