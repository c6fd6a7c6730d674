"""Figures of the message against the numbers and exit codes that tools printed."""
