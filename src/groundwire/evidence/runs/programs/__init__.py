"""Which programs are runs: one table, and how an argument list is read with it."""
