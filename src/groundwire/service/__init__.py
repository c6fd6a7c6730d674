"""The wiring: ``hook`` for the light path, ``full`` for everything else."""
