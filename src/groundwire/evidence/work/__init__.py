"""Claims about the state of the work: it works, it is fixed, done, ready, committed, deployed."""
