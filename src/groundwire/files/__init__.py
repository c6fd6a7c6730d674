"""Files that groundwire reads and changes for a user: scanning, score headers, ageing."""
