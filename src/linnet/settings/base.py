"""Base class of all settings: frozen, unknown keys refused, names in any letter case."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

__all__ = ["LOWER_CASE", "Name", "Settings"]

LOWER_CASE = BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given)
Name = Annotated[str, LOWER_CASE]  # of a registered thing, in any letter case


class Settings(BaseModel):
    """A frozen section of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
