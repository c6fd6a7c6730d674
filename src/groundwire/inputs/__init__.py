"""What the client hands over, and what commands printed."""
