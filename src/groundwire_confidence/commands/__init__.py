"""Commands of the confidence models."""
