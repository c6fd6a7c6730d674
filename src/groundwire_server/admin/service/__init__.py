"""What the admin API and the admin pages can do, without HTTP and without pages.

``open_admin`` gives an ``Admin``; its parts are small classes with plain methods that return
immutable values. They may be called from several threads; those that ask a judge are
coroutines. Errors are those of ``groundwire.base.errors``:

- ``ConfigError``: the input is not allowed; one ``place: key: value: allowed`` line per problem
  (422).
- ``NotFoundError``: what was named is not there (404).
- ``ConflictError``: somebody else changed it first; nothing was changed (409).
- ``StoreError``: the database fails (503). The two before are kinds of it, so catch them first.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire_server.admin.service.configuration import Configurations
from groundwire_server.admin.service.decisions import Decisions
from groundwire_server.admin.service.experiment import Experiment
from groundwire_server.admin.service.figures import Figures
from groundwire_server.admin.service.hook_settings import HookSettings
from groundwire_server.admin.service.models import Models
from groundwire_server.admin.service.prompts import Prompts
from groundwire_server.admin.service.samples import Answer, Samples
from groundwire_server.admin.store.database import Store, open_store, require_current, upgrade
from groundwire_server.admin.store.decisions import Filter

__all__ = ["Admin", "Answer", "Filter", "open_admin"]


class Admin:
    """The admin server's functions over one database and one user's files."""

    def __init__(self, store: Store, env: Mapping[str, str]) -> None:
        self.store = store
        self.env = dict(env)
        self.configuration = Configurations(store)
        self.prompts = Prompts(store)
        self.models = Models(store)
        self.decisions = Decisions(store, self.env)
        self.experiment = Experiment(store)
        self.samples = Samples(store, self.env, self.experiment)
        self.figures = Figures(store, self.env)
        self.hook = HookSettings(store, self.env)

    async def aclose(self) -> None:
        """Close the connections to judges and database."""
        await self.samples.close()
        self.close()

    def close(self) -> None:
        """Close the connections to the database."""
        self.store.close()


def open_admin(url: str | None, env: Mapping[str, str]) -> Admin:
    """Open the database at ``url`` (None: the SQLite file in the state folder of ``env``).

    A SQLite file is made and brought to the newest revision; a database server must have been, by
    ``groundwire db migrate``. Raises StoreError.
    """
    store = open_store(url, env)
    try:
        if store.is_file:
            upgrade(store)
        require_current(store)
    except BaseException:
        store.close()
        raise
    return Admin(store, env)
