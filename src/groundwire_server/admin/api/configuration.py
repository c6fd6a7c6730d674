"""How confidence is calculated, for each environment (R002-24)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from groundwire_server.admin.api.common import (
    PREFIX,
    Below,
    Body,
    ChangeId,
    Document,
    Environment,
    IfMatch,
    Limit,
    Name,
    Profile,
    Service,
    Tagged,
    Version,
    Who,
    problems,
    wanted_version,
)
from groundwire_server.admin.service.configuration import ConfigurationView
from groundwire_server.admin.service.view import ChangeView

CONFIG = f"{PREFIX}/agent-config"


class ConfigurationChange(Body):
    """Any part of a configuration; the rest stays as it is."""

    config: Document = Field(
        description="Values below the key confidence_calculation; keys that are left out stay.",
        examples=[{"confidence_calculation": {"method": "hybrid"}}],
        json_schema_extra={
            "properties": {
                "confidence_calculation": {
                    "$ref": "#/components/schemas/ConfidenceCalculationConfig"
                }
            }
        },
    )
    version: Version = None


class Activation(Body):
    """A profile that is to hold."""

    profile: Name = Field(examples=["production-validated"])
    version: Version = None


class Restoring(Body):
    """The version that a change back is made from."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"version": 3}})
    version: Version = None


Environments = Annotated[list[str], Field(examples=[["all", "production"]])]
router = APIRouter(default_response_class=Tagged, prefix=CONFIG, tags=["configuration"])


@router.get("", responses=problems(404))
def get_agent_config(
    admin: Service, environment: Environment = "all", profile: Profile = ""
) -> ConfigurationView:
    """Return the complete configuration that holds in an environment.

    The ETag is its version.
    """
    return admin.configuration.get(environment, profile)


@router.put("", responses=problems(404, 409))
def put_agent_config(
    admin: Service,
    change: ConfigurationChange,
    who: Who,
    tag: IfMatch,
    environment: Environment = "all",
    profile: Profile = "",
) -> ConfigurationView:
    """Merge a part of a configuration into the stored one and return the whole.

    An environment that used the configuration of `all` gets one of its own.
    """
    return admin.configuration.save(
        change.config,
        who=who,
        environment=environment,
        profile=profile,
        version=wanted_version(tag, change.version),
    )


@router.get("/environments", responses=problems())
def list_environments(admin: Service) -> Environments:
    """Return the environments that have a configuration of their own."""
    return admin.configuration.environments()


@router.get("/profiles", responses=problems())
def list_profiles(
    admin: Service,
    environment: Profile = "",
) -> list[ConfigurationView]:
    """Return every profile, or those of one environment; the active ones first."""
    return admin.configuration.profiles(environment)


@router.post("/activate", responses=problems(404, 409))
def activate_profile(
    admin: Service,
    activation: Activation,
    who: Who,
    environment: Environment = "all",
) -> ConfigurationView:
    """Make a profile the one that holds in its environment."""
    return admin.configuration.activate(
        environment, activation.profile, who=who, version=activation.version
    )


@router.get("/history", responses=problems(404))
def configuration_history(
    admin: Service,
    environment: Profile = "",
    profile: Profile = "",
    limit: Limit = 50,
    below: Below = None,
) -> list[ChangeView]:
    """Return who changed what, the newest first, with the document before and after."""
    return admin.configuration.history(environment, profile, limit=limit, below=below)


@router.post("/history/{change}/restore", responses=problems(404, 409))
def restore_configuration(
    admin: Service,
    change: ChangeId,
    who: Who,
    restoring: Restoring | None = None,
) -> ConfigurationView:
    """Put back the document that a change left behind, as a new version."""
    version = restoring.version if restoring else None
    return admin.configuration.restore(change, who=who, version=version)
