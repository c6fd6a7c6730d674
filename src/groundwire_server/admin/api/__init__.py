"""The admin API: thin routes over the admin service, one module for each subject."""
