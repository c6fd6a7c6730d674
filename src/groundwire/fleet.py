"""Past sessions on Spark, for notebooks and jobs; needs ``pip install 'groundwire[fleet]'``.

from groundwire.fleet import decisions
decisions(spark.table("transcripts")).groupBy("model", "decision").count().show()
"""

from __future__ import annotations

from groundwire_fleet.frames import decisions, matches

__all__ = ["decisions", "matches"]
