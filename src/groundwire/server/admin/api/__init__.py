"""The admin API: thin routes over ``groundwire.service.admin``, one module for each subject."""
