"""groundwire reads a coding agent's final message beside what its tools returned."""

__version__ = "0.1.0"
