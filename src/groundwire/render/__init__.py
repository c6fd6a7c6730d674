"""What people and programs read: match fields, reports, explanations and the block reason."""
