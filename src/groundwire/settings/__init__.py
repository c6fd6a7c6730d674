"""TOML files into one compiled settings file."""
