"""What can be set for pretraining, what does each setting mean, and what is its default?"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from linnet.settings.base import Settings

__all__ = ["BudgetSettings", "CleaningSettings", "MaskingSettings", "PretrainOptimiserSettings", "PretrainSettings",
           "VocabularySettings"]  # fmt: skip


class CleaningSettings(Settings):
    """What is left out of the text, each rule counted."""

    markup: bool = Field(True, description="Remove what is left of markup: tags, entities, reference marks.")
    least_words: int = Field(5, ge=0, description="Lines with fewer words are left out.")
    duplicates: bool = Field(True, description="Leave out lines that nearly repeat an earlier one.")
    languages: tuple[str, ...] = Field(("en",), description="Languages to keep, told by their commonest words; [] all.")
    exclude: tuple[str, ...] = Field((), description="Corpora whose sentences must not be learned from.")


class VocabularySettings(Settings):
    """Which sub-words there are."""

    train: int | None = Field(None, ge=100, le=1_000_000, description="Learn a vocabulary of this size from the text.")
    kind: Literal["wordpiece", "unigram"] = Field("wordpiece", description="Kind of a learned vocabulary.")
    lowercase: bool = Field(True, description="Read all letters as small ones, with a learned vocabulary.")
    extend: int | None = Field(
        None, ge=1, le=1_000_000, description="Add so many words of the text to the encoder's own vocabulary."
    )
    source: str | None = Field(None, description="For a fresh encoder: take the vocabulary of this encoder.")

    @model_validator(mode="after")
    def _one_of_two(self) -> "VocabularySettings":
        if self.train is not None and self.extend is not None:
            raise ValueError("a vocabulary is learned or extended, not both: give `train` or `extend`")
        if self.train is not None and self.source is not None:
            raise ValueError("a vocabulary is learned or taken, not both: give `train` or `source`")
        return self


class MaskingSettings(Settings):
    """What is hidden, to be guessed."""

    unit: Literal["subword", "word", "ngram"] = Field("word", description="What is hidden together.")
    rate: float = Field(0.15, gt=0, lt=1, description="Share of the sub-words that is to be guessed.")
    longest_ngram: int = Field(3, ge=1, description="For `ngram`: words; n is drawn with weight 1/n, as in ALBERT.")
    keep: float = Field(0.1, ge=0, lt=1, description="Share of the chosen ones that stays as it is.")
    replace: float = Field(0.1, ge=0, lt=1, description="Share of the chosen ones that becomes another sub-word.")
    sentence_order: bool = Field(False, description="Also guess whether two halves were exchanged, as in ALBERT.")

    @model_validator(mode="after")
    def _some_are_hidden(self) -> "MaskingSettings":
        if self.keep + self.replace >= 1:
            raise ValueError("`keep` and `replace` must leave some to be hidden")
        return self


class BudgetSettings(Settings):
    """How long is learned: one of steps, tokens and hours."""

    steps: int | None = Field(None, ge=1, le=10**9, description="Updates.")
    tokens: int | None = Field(None, ge=1, le=10**15, description="Sub-words that are read.")
    hours: float | None = Field(None, gt=0, description="Hours on this machine; the schedule is made to fit.")

    @model_validator(mode="after")
    def _exactly_one(self) -> "BudgetSettings":
        if sum(each is not None for each in (self.steps, self.tokens, self.hours)) != 1:
            raise ValueError("give one of `steps`, `tokens` and `hours`")
        return self


class PretrainOptimiserSettings(Settings):
    """How the weights are changed."""

    name: Literal["adamw", "lamb"] = Field("adamw", description="LAMB is for very large batches.")
    batch_size: int = Field(16, ge=1, description="Sequences per update and accumulation step.")
    accumulation: int = Field(1, ge=1, description="Batches whose gradients are added before an update.")
    learning_rate: float = Field(5e-4, gt=0, description="Peak learning rate.")
    warmup: float = Field(0.06, ge=0, lt=1, description="Share of the updates over which the rate rises.")
    head_first: float = Field(
        0.0, ge=0, lt=1, description="Share of the updates in which the head learns alone, for a fresh one."
    )
    weight_decay: float = Field(0.01, ge=0, description="Weight decay, not on biases and norms.")
    clip: float = Field(1.0, ge=0, description="Largest norm of the gradient; 0 does not clip.")
    dropout: float | None = Field(None, ge=0, lt=1, description="Dropout; the encoder's own if not given.")
    attention_dropout: float = Field(
        0.0, ge=0, lt=1, description="Dropout of attention; at 0 the fused kernels are used, which are faster."
    )

    @model_validator(mode="after")
    def _some_time_is_left(self) -> "PretrainOptimiserSettings":
        if self.head_first + self.warmup >= 1:
            raise ValueError("`head_first` and `warmup` together must leave some of the updates")
        return self


class PretrainSettings(Settings):
    """Everything `linnet pretrain` needs to know."""

    texts: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        min_length=1, description="Files and folders: plain text, or any corpus format."
    )
    output: str = Field(description="Folder of the run.")
    encoder: str = Field("minilm", description="Encoder to go on with, or a size to begin anew: see `fresh`.")
    fresh: bool = Field(False, description="Begin with random weights; `encoder` then names a size, e.g. albert-base.")
    length: int = Field(128, ge=16, description="Sub-words of a sequence.")
    cross_documents: bool = Field(False, description="Fill sequences up with the next document.")
    held_out: float = Field(0.01, gt=0, lt=0.5, description="Share of the documents on which perplexity is measured.")
    evaluations: int = Field(20, ge=1, description="How often perplexity is measured, at most.")
    seed: int = Field(1, ge=0, lt=2**32, description="Seed of everything that is random.")
    threads: int | None = Field(None, ge=1, le=1024, description="CPU threads; torch's own choice if not given.")
    shards: str | None = Field(None, description="Folder of the tokenised text; beside the output if not given.")
    checkpoint_minutes: float = Field(5.0, ge=0, description="Minutes between checkpoints.")
    tracker: Literal["tensorboard", "mlflow", "wandb"] | None = Field(None, description="Where to report progress.")
    budget: BudgetSettings = Field(description="How long is learned.")
    cleaning: CleaningSettings = CleaningSettings()
    vocabulary: VocabularySettings = VocabularySettings()
    masking: MaskingSettings = MaskingSettings()
    optimiser: PretrainOptimiserSettings = PretrainOptimiserSettings()
