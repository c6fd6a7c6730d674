"""The database, of each kind in turn."""

from tests.support.databases import database_url, empty_store, postgres, store

__all__ = ["database_url", "empty_store", "postgres", "store"]
