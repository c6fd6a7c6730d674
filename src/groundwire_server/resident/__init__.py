"""The resident server: the hook's answers by HTTP, without the start of a process."""
