"""A language model as judge of an answer: providers behind one protocol, with limits and a cache.

Nothing here is imported unless a judge is configured, and a provider's client not before it is
asked.
"""
