"""Measuring and fitting: labels, quality, calibration, learning from wrong stops."""
