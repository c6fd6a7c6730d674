"""The four confidence models, their history, milestones and file headers."""
