"""Without Spark only the plain part is tested; ``make e2e`` has two environments with it."""

from importlib.util import find_spec

_NEEDED = {"e2e": "duckdb", "connect": "pysail"}
collect_ignore = [folder for folder, module in _NEEDED.items() if not find_spec(module)]
