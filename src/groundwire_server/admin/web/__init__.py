"""HTTP around the application: who may ask, how often, what is counted and logged."""
