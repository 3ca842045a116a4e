"""Settings of a training for linking."""

from typing import Any, Literal

from pydantic import Field, field_validator

from linnet.settings.training import TrainSettings

__all__ = ["LinkingSettings", "Part"]

Part = Literal["names", "learned", "similar", "frequency", "document", "acronym", "database", "meaning"]


class LinkingSettings(TrainSettings):
    """What only the training of a linker needs to know."""

    vocabulary: str = Field("", description="Folder of the vocabulary, from `linnet vocabulary build`.")
    penalty: float | None = Field(
        None, gt=0, description="L2 penalty on the weights of the features; chosen on devel if not given."
    )
    without: tuple[Part, ...] = Field(
        (), description="Groups of features to leave out, e.g. to see what they add: learned, similar, document."
    )
    meaning: str = Field(
        "", description="Encoder that also compares mentions and names by meaning, e.g. minilm or sapbert; needs torch."
    )

    contrastive: int = Field(
        0,
        ge=0,
        description="Pairs of synonyms of the vocabulary from which the encoder of `meaning` learns in each epoch "
        "(contrastive training); 0 uses it as it is.",
    )
    contrastive_mentions: bool = Field(
        True, description="Whether contrastive training learns from the mentions of the training split, too."
    )

    @field_validator("without", mode="before")
    @classmethod
    def _split_groups(cls, given: Any) -> Any:
        """Take `learned,similar`, as the command has it, as a list."""
        return tuple(filter(None, map(str.strip, given.split(",")))) if isinstance(given, str) else given
