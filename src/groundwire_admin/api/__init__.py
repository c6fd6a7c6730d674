"""The admin API: thin routes over ``groundwire_admin.service``, one module for each subject."""
