"""The admin server (extra ``server``): the resident hook, the admin API and pages in one process.

``store`` keeps rows in a database, ``service`` says what can be done with them, ``api`` and
``pages`` show that, ``web`` stands around them. The core imports nothing from here.
"""
