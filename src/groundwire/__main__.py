"""``python -m groundwire``."""

from groundwire.commands.main import main

raise SystemExit(main())
