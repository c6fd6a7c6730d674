"""Claims that a run decides: tests, builds, linters, type checkers, pipelines."""
