"""Settings of a training for named-entity recognition."""

from typing import Annotated, Literal

from pydantic import Field

from linnet.settings.base import LOWER_CASE
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.distillation.settings import DistillSettings

__all__ = ["NerSettings", "SplitName"]

SplitName = Literal["train", "devel", "test", "train_dev"]


class NerSettings(TrainSettings):
    """What only the training of a tagger needs to know."""

    tagging: Annotated[Literal["io", "iob2", "iobes", "bilou"], LOWER_CASE] = Field(
        "iob2", description="Tagging that the model learns."
    )
    sample_documents: bool = Field(
        False, description="Draw `train_sentences` and `devel_sentences` as whole documents, to the nearest number."
    )
    documents: dict[SplitName, str] | None = Field(
        None, description='File that says which sentences are one document, by split, e.g. { test = "test.ids" }.'
    )
    head: Literal["linear", "two-layer"] = Field("linear", description="What turns the encoder's output into tags.")
    keep_layers: tuple[int, ...] = Field(
        (), description="Layers of the encoder that are kept, from 1, e.g. [1, 3, 5]; all if not given."
    )
    keep_heads: bool = Field(False, description="Keep the heads of all corpora beside the model, to train on with.")
    partial_labels: bool = Field(
        False, description="Corpora of one head may annotate different labels: O then says nothing about the others."
    )
    same_abbreviations: bool = Field(
        False, description="The model gives abbreviations the label of their long forms, and the other way round."
    )
    distill: DistillSettings | None = Field(None, description="Distillation: learn from teachers on unlabelled text.")

    @property
    def without_effect(self) -> frozenset[str]:
        """Names of settings that change neither what is learned nor what is predicted."""
        needs_documents = self.sample_documents or self.same_abbreviations
        return super().without_effect if needs_documents else super().without_effect | {"documents"}
