"""``python -m groundwire``."""

from groundwire.cli.main import main

raise SystemExit(main())
