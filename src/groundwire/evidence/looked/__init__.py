"""Claims that only a look of a certain sort can carry: which look of the turn was one of it.

"A re-scan finds nothing", "it is only called by the CLI", "it is not in the image, so nobody is
affected", "no conflict with main", "everything is still running", "a byte-identical copy".
"""
