"""Past sessions of a whole company on Apache Spark; the core imports nothing of it."""
