"""Running the hook's decision over past sessions, without memory and without stopping anything."""
