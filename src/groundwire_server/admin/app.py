"""The application: checks around it, the hook, the login, the API and the pages in it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import RedirectResponse

from groundwire.base.errors import StoreError
from groundwire.base.paths import state_folder
from groundwire.base.version import __version__
from groundwire_server.admin.api import (
    confidence,
    configuration,
    decisions,
    figures,
    hook_config,
    models,
    prompts,
)
from groundwire_server.admin.api.errors import add_error_handlers
from groundwire_server.admin.api.hook_routes import hook_router
from groundwire_server.admin.api.metrics import Metrics, system_router
from groundwire_server.admin.api.scan import scan_router
from groundwire_server.admin.api.watch import Watch
from groundwire_server.admin.options import AdminOptions
from groundwire_server.admin.pages import mount
from groundwire_server.admin.service import Admin
from groundwire_server.admin.web.guard import PAGES, SCHEMA, Guard
from groundwire_server.admin.web.hosts import Hosts
from groundwire_server.admin.web.login import login_router
from groundwire_server.admin.web.openapi import describe
from groundwire_server.admin.web.session import Sessions
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.token import ADMIN_TOKEN, ensure_token

LOGGER = logging.getLogger("groundwire.admin")
#: Seconds between two looks at the log; one without news costs a look at a file's size.
PAUSE = 5.0


def create_app(
    options: AdminOptions, admin: Admin, stop: Callable[[], None] = lambda: None
) -> FastAPI:
    """Return the whole application over ``admin``, which it closes at its end.

    ``stop`` is called when a request asks the server to end.
    """
    hosts = Hosts(options)
    secure = options.certificate is not None
    sessions = Sessions(options.token, options.port, secure=secure, env=options.env)
    hook_token = ensure_token(options.env)
    handler = HookHandler(options.env, options.port, hook_token, options.token, stop, hosts.is_ours)
    handler.scanner(None)  # the first turn finds it ready
    metrics = Metrics()

    app = FastAPI(
        title="groundwire",
        version=__version__,
        openapi_url=SCHEMA,
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.admin = admin
    for router in (
        hook_router(handler, metrics),
        scan_router(handler.env, handler.scanner),
        configuration.router,
        prompts.router,
        models.router,
        hook_config.router,
        decisions.router,
        confidence.router,
        figures.router,
        system_router(metrics, admin, handler),
        login_router(sessions, token_file(options)),
    ):
        app.include_router(router)
    app.add_api_route("/", to_pages, include_in_schema=False)
    add_error_handlers(app)
    describe(app)
    mount(app, PAGES, admin)
    # the last one added is the outermost
    app.add_middleware(Guard, options=options, hosts=hosts, sessions=sessions, hook=handler)
    app.add_middleware(Watch, metrics=metrics)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    admin: Admin = app.state.admin
    taking_in = asyncio.create_task(keep_taking_in(admin))
    yield
    taking_in.cancel()
    await asyncio.gather(taking_in, return_exceptions=True)
    await admin.aclose()


async def to_pages() -> RedirectResponse:
    """Lead to the start page."""
    return RedirectResponse(f"{PAGES}/", 307)


def token_file(options: AdminOptions) -> str:
    """Return where the token stands, for a person."""
    return os.path.join(state_folder(options.env) or "", ADMIN_TOKEN)


async def keep_taking_in(admin: Admin) -> None:
    """Take in new lines of the decision log until cancelled; what goes wrong is logged once."""
    told = ""
    while True:
        try:
            taken = await asyncio.to_thread(admin.decisions.take_in)
            problem = "; ".join(taken.problems)
        except StoreError as error:
            problem = str(error)
        if problem and problem != told:
            LOGGER.warning("the decision log was not taken in", extra={"problem": problem})
        told = problem
        await asyncio.sleep(PAUSE)
