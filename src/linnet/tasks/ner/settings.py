"""Settings of a training for named-entity recognition."""

from typing import Annotated, Literal

from pydantic import Field

from linnet.settings.base import LOWER_CASE
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.distillation.settings import DistillSettings

__all__ = ["NerSettings"]


class NerSettings(TrainSettings):
    """What only the training of a tagger needs to know."""

    tagging: Annotated[Literal["io", "iob2", "iobes", "bilou"], LOWER_CASE] = Field(
        "iob2", description="Tagging that the model learns."
    )
    sample_documents: bool = Field(
        False, description="Draw `train_sentences` and `devel_sentences` as whole documents, to the nearest number."
    )
    head: Literal["linear", "two-layer"] = Field("linear", description="What turns the encoder's output into tags.")
    keep_heads: bool = Field(False, description="Keep the heads of all corpora beside the model, to train on with.")
    partial_labels: bool = Field(
        False, description="Corpora of one head may annotate different labels: O then says nothing about the others."
    )
    distill: DistillSettings | None = Field(None, description="Distillation: learn from teachers on unlabelled text.")
