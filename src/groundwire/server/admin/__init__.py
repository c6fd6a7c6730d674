"""The admin server: the resident hook, the admin API and the admin pages in one process."""
