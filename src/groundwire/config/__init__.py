"""Settings: their schema, the layers they come from, what a project may loosen, compiling them."""
