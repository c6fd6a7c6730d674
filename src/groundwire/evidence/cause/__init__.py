"""Stated causes against what the turn had read, printed or changed."""
