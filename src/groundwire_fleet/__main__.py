"""What ``spark-submit`` is given: the arguments are those of ``groundwire fleet``."""

from __future__ import annotations

import sys

from groundwire.commands.main import main

if __name__ == "__main__":
    sys.argv[1:1] = ["fleet"]
    raise SystemExit(main())
