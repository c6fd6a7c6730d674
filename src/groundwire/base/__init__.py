"""Records, errors, JSON, settings, time budget and paths: what everybody needs."""
