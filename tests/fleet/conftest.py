"""Without Spark only the plain part is tested; ``make e2e`` has an environment with it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspark") else ["e2e"]
