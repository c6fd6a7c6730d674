"""The same findings as text, JSON, SARIF, JUnit, or the answer of a hook."""
