"""Pattern, outcome, program and model files: reading, checking, compiling."""
