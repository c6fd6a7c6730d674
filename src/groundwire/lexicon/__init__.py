"""Pattern files: their schema, reading and checking them, compiling them to a rule set."""
