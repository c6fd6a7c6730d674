"""Advisory confidence (group 001): an answer made from retrieved passages.

Pure throughout; ``service`` scores one answer with its retrieval results in one call.
"""
