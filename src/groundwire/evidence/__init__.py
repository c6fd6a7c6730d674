"""What the harness saw: the ledger of a turn, and whether claims hold against it."""
