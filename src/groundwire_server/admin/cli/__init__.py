"""Commands of the admin server; the command line of the core registers them."""
