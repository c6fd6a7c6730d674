"""``groundwire doctor``: what is in order, what is not, and the command that mends it."""
