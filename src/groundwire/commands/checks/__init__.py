"""What ``groundwire doctor`` examines, area by area."""
