"""Settings of relation extraction."""

from typing import Literal

from pydantic import Field

from linnet.tasks.texts.settings import TextSettings

__all__ = ["RelationSettings"]


class RelationSettings(TextSettings):
    """Which mentions are paired, and how many negative pairs are learned from."""

    level: Literal["sentence", "document"] = Field("sentence", description="How far apart a pair's mentions may be.")
    pairs: tuple[str, ...] | None = Field(
        None, description='Types of mentions to pair, e.g. ["Chemical-Disease"]; those of the gold pairs if none.'
    )
    unit: Literal["mention", "concept"] | None = Field(
        None, description="What is paired; what most relations of training tie if none."
    )
    negatives: float | None = Field(
        None, ge=0, description="Pairs without a relation to learn from, for each with one; all if none."
    )
