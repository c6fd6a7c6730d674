"""How sure we are of a statement, which facts accuse it, and whether to stop."""
