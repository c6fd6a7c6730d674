"""The resident hook, the admin API and the admin pages."""
