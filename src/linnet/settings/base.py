"""Frozen sections of settings: unknown keys are refused, names are found in any letter case."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

__all__ = ["LOWER_CASE", "Name", "Settings"]

LOWER_CASE = BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given)
Name = Annotated[str, LOWER_CASE]  # of something registered, which is found in any letter case


class Settings(BaseModel):
    """A frozen section of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
