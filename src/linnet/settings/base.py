"""Base class of all settings: frozen, unknown keys refused, names in any letter case."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from linnet.settings.thresholds import check_range, split_thresholds

__all__ = ["LOWER_CASE", "Name", "Settings", "ThresholdsByLabel"]

LOWER_CASE = BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given)
Name = Annotated[str, LOWER_CASE]  # of a registered thing, in any letter case


class Settings(BaseModel):
    """A frozen section of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


# a number, or `0.5` and `Label=0.7` as commands have them, read and checked; here, since `thresholds` loads no pydantic
ThresholdsByLabel = Annotated[dict[str, float], BeforeValidator(split_thresholds), AfterValidator(check_range)]
