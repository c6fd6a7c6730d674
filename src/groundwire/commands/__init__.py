"""The command line, install and doctor; one file for each command."""
