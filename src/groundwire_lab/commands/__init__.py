"""Commands of labels, quality and calibration."""
