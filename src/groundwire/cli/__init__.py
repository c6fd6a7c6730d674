"""The ``groundwire`` command; one file for each command."""
