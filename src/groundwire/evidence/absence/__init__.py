"""Claims that something is not there, not used or not touched, against searches and looks."""
