"""The settings of `linnet pretrain`: names, meanings and defaults."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from linnet.settings.base import Settings

__all__ = ["BudgetSettings", "CleaningSettings", "MaskingSettings", "PretrainOptimiserSettings", "PretrainSettings",
           "VocabularySettings"]  # fmt: skip


class CleaningSettings(Settings):
    """Rules for cleaning the text; what each removes is counted."""

    markup: bool = Field(True, description="Remove markup: tags, entities, formula code, reference marks.")
    least_words: int = Field(5, ge=0, description="Drop lines with fewer words.")
    duplicates: bool = Field(True, description="Drop lines that repeat, or nearly repeat, an earlier one.")
    languages: tuple[str, ...] = Field(("en",), description="Languages to keep, found by function words; [] keeps all.")
    exclude: tuple[str, ...] = Field((), description="Evaluation corpora whose sentences are left out.")


class VocabularySettings(Settings):
    """The vocabulary of sub-words."""

    train: int | None = Field(None, ge=100, le=1_000_000, description="Learn a vocabulary of this size from the text.")
    kind: Literal["wordpiece", "unigram"] = Field("wordpiece", description="Kind of a learned vocabulary.")
    lowercase: bool = Field(True, description="Lower-case the text, for a learned vocabulary.")
    extend: int | None = Field(
        None, ge=1, le=1_000_000, description="Add this many words of the text to the encoder's vocabulary, at most."
    )
    source: str | None = Field(None, description="For a fresh encoder: use the vocabulary of this encoder.")

    @model_validator(mode="after")
    def _check_origin(self) -> "VocabularySettings":
        if self.train is not None and self.extend is not None:
            raise ValueError("a vocabulary is learned or extended, not both: give `train` or `extend`")
        if self.train is not None and self.source is not None:
            raise ValueError("a vocabulary is learned or taken from an encoder, not both: give `train` or `source`")
        return self


class MaskingSettings(Settings):
    """Masking and the other objectives of pretraining."""

    unit: Literal["subword", "word", "ngram"] = Field("word", description="Unit that is masked as a whole.")
    rate: float = Field(0.15, gt=0, lt=1, description="Share of the sub-words that is masked.")
    longest_ngram: int = Field(
        3, ge=1, description="For `ngram`: most words; n is drawn with weight 1/n, as in ALBERT."
    )
    keep: float = Field(0.1, ge=0, lt=1, description="Share of the masked sub-words that stays unchanged.")
    replace: float = Field(0.1, ge=0, lt=1, description="Share of the masked sub-words that becomes a random one.")
    sentence_order: bool = Field(False, description="Sentence-order prediction, as in ALBERT.")

    @model_validator(mode="after")
    def _check_shares(self) -> "MaskingSettings":
        if self.keep + self.replace >= 1:
            raise ValueError("`keep` and `replace` together must be below 1")
        return self


class BudgetSettings(Settings):
    """Length of the training: one of steps, tokens and hours."""

    steps: int | None = Field(None, ge=1, le=10**9, description="Updates of the weights.")
    tokens: int | None = Field(None, ge=1, le=10**15, description="Sub-words to train on.")
    hours: float | None = Field(None, gt=0, description="Hours on this machine; the number of updates is estimated.")

    @model_validator(mode="after")
    def _check_one_budget(self) -> "BudgetSettings":
        if sum(budget is not None for budget in (self.steps, self.tokens, self.hours)) != 1:
            raise ValueError("give one of `steps`, `tokens` and `hours`")
        return self


class PretrainOptimiserSettings(Settings):
    """Optimiser and learning-rate schedule."""

    name: Literal["adamw", "lamb"] = Field("adamw", description="Optimiser; LAMB is for very large batches.")
    batch_size: int = Field(16, ge=1, description="Sequences per update and accumulation step.")
    accumulation: int = Field(1, ge=1, description="Batches whose gradients are added before an update.")
    learning_rate: float = Field(5e-4, gt=0, description="Peak learning rate.")
    warmup: float = Field(0.06, ge=0, lt=1, description="Share of the updates in which the learning rate rises.")
    head_first: float = Field(
        0.0, ge=0, lt=1, description="Share of the updates in which only the head is trained; useful for a fresh head."
    )
    weight_decay: float = Field(0.01, ge=0, description="Weight decay; biases and layer norms have none.")
    clip: float = Field(1.0, ge=0, description="Largest norm of the gradient (gradient clipping); 0 for no clipping.")
    dropout: float | None = Field(None, ge=0, lt=1, description="Dropout; the encoder's own if not given.")
    attention_dropout: float = Field(
        0.0, ge=0, lt=1, description="Dropout of attention; 0 uses the fused kernels, which are faster."
    )

    @model_validator(mode="after")
    def _check_shares(self) -> "PretrainOptimiserSettings":
        if self.head_first + self.warmup >= 1:
            raise ValueError("`head_first` and `warmup` together must be below 1")
        return self


class PretrainSettings(Settings):
    """Everything `linnet pretrain` needs to know."""

    texts: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        min_length=1, description="Files and folders of plain text, or in any corpus format."
    )
    output: str = Field(description="Folder of the run.")
    encoder: str = Field("minilm", description="Encoder to continue with, or the size of a fresh one: see `fresh`.")
    fresh: bool = Field(False, description="Start with random weights; `encoder` then names a size, e.g. albert-base.")
    length: int = Field(128, ge=16, description="Sub-words of a sequence, special ones included.")
    cross_documents: bool = Field(False, description="Let the next document fill up a sequence.")
    held_out: float = Field(0.01, gt=0, lt=0.5, description="Share of the documents held out to measure perplexity.")
    evaluations: int = Field(20, ge=1, description="How often perplexity is measured, at most.")
    seed: int = Field(1, ge=0, lt=2**32, description="Seed of all random numbers.")
    threads: int | None = Field(None, ge=1, le=1024, description="CPU threads; torch's own choice if not given.")
    shards: str | None = Field(None, description="Folder of the prepared text; beside the output if not given.")
    checkpoint_minutes: float = Field(5.0, ge=0, description="Minutes between checkpoints.")
    tracker: Literal["tensorboard", "mlflow", "wandb"] | None = Field(None, description="Where to report progress.")
    budget: BudgetSettings = Field(description="Length of the training.")
    cleaning: CleaningSettings = CleaningSettings()
    vocabulary: VocabularySettings = VocabularySettings()
    masking: MaskingSettings = MaskingSettings()
    optimiser: PretrainOptimiserSettings = PretrainOptimiserSettings()
