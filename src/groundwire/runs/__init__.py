"""The same analysis over many turns: replay, baseline, statistics, past stops."""
