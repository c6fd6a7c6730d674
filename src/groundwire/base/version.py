"""The version of groundwire; the build and the plugin read this file as text."""

__version__ = "0.1.0"
