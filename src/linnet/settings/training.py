"""Settings of a training: every shared setting with its meaning and its default.

A shared default is written here and nowhere else: commands, recipes, documentation and the Python API read it here.
Settings are frozen and unknown keys are refused; `settings/files.py` reads and writes them.
"""

from typing import Any, Literal

from pydantic import Field, model_validator

from linnet.settings.base import Name, Settings

__all__ = [
    "CorpusSettings",
    "LoraSettings",
    "LossSettings",
    "OptimiserSettings",
    "SamplingSettings",
    "SelectionSettings",
    "StageSettings",
    "TrainSettings",
    "WindowSettings",
    "key_of",
]


READING = {"files", "repair", "documents"}  # settings that say how a corpus is read


class WindowSettings(Settings):
    """Windows: how long sentences are split for the encoder."""

    max_length: int = Field(256, ge=8, description="Sub-words per window; longer sentences are split into windows.")
    overlap: int | None = Field(
        None, ge=0, description="Sub-words that two windows share; a quarter of a window if not given."
    )
    all_subwords: bool = Field(False, description="Train on all sub-words of a word instead of the first.")

    @model_validator(mode="after")
    def _overlap_fits(self) -> "WindowSettings":
        if self.overlap is not None and self.overlap > self.max_length // 2:
            raise ValueError("`overlap` must be at most half of `max_length`")
        return self


class LossSettings(Settings):
    """Loss and class weights."""

    name: Name = Field("cross-entropy", description="A registered loss; `linnet list losses` prints them.")
    scheme: Name = Field("none", description="A registered scheme of class weights; `none` weights all tags alike.")
    beta: float | None = Field(None, ge=0, lt=1, description="For `ens` only: the effective-number factor.")
    weights: dict[str, float] | None = Field(None, description="Class weights by tag name, instead of a scheme.")
    gamma: float | None = Field(
        None, ge=0, description="For `focal` only: focusing parameter; the larger, the less easy tokens count."
    )
    alpha: float | None = Field(
        None, ge=0, lt=1, description="For `dice` only: the larger, the less easy tokens count."
    )
    smoothing: float | None = Field(None, ge=0, lt=1, description="Label smoothing, where the loss has it.")

    @model_validator(mode="after")
    def _weights_or_scheme(self) -> "LossSettings":
        if self.weights is not None and self.scheme != "none":
            raise ValueError("give `weights` or a `scheme`, not both")
        return self


class OptimiserSettings(Settings):
    """Hyper-parameters of the optimiser and the learning-rate schedule."""

    epochs: int = Field(6, ge=0, description="Passes over the training split; 0 only evaluates.")
    batch_size: int = Field(16, ge=1, description="Sentences (windows) per update and accumulation step.")
    accumulation: int = Field(1, ge=1, description="Batches whose gradients are added before an update.")
    most_tokens: int | None = Field(
        None,
        ge=1,
        description="For ner on CPUs: sub-words computed at once, to save memory; by the encoder's size if not given.",
    )
    learning_rate: float = Field(3e-4, gt=0, description="Peak learning rate.")
    warmup: float = Field(0.1, ge=0, lt=1, description="Share of the updates in which the learning rate rises.")
    weight_decay: float = Field(0.01, ge=0, description="Weight decay (AdamW); biases and layer norms have none.")
    clip: float = Field(1.0, ge=0, description="Largest norm of the gradient (gradient clipping); 0 for no clipping.")
    dropout: float | None = Field(
        None, ge=0, lt=1, description="Dropout of the network; the encoder's own if not given."
    )
    attention_dropout: float = Field(
        0.0, ge=0, lt=1, description="Dropout of attention; 0 uses the fused kernels, which are faster."
    )
    layer_decay: float = Field(
        1.0, gt=0, le=1, description="Factor on the learning rate from each layer to the one below."
    )
    head_factor: float = Field(1.0, gt=0, description="Factor on the learning rate of the head.")
    average: float | None = Field(
        None,
        gt=0,
        lt=1,
        description="Decay of a running average of the weights (EMA), which is scored and kept; none if not given.",
    )
    adversarial: float | None = Field(
        None,
        gt=0,
        description="Length of an adversarial step of the word embeddings (FGM); doubles the cost; none if not given.",
    )
    freeze_layers: int = Field(0, ge=0, description="Lower layers that are not trained, with the embeddings.")
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Number format; auto is mixed bfloat16 where the processor or GPU is faster with it."
    )


class SelectionSettings(Settings):
    """Choice of the epoch, and early stopping."""

    matching: Name = Field("strict", description="For ner: matching of the devel F1 that chooses the epoch.")
    metric: str | None = Field(
        None, description="For other tasks: devel score that chooses the epoch; the task's first if not given."
    )
    patience: int | None = Field(
        None, ge=1, description="Early stopping: epochs without a better devel score before it stops."
    )


class LoraSettings(Settings):
    """Low-rank adapters instead of full fine-tuning (extra `lora`); merged into the model on saving."""

    rank: int = Field(16, ge=1, description="Rank of the adapters.")
    alpha: int = Field(32, gt=0, description="Scale of the adapters.")
    dropout: float = Field(0.05, ge=0, lt=1, description="Dropout before the adapters.")


class CorpusSettings(Settings):
    """One of several corpora of a multi-task training."""

    name: str = Field(min_length=1, description="Name of the corpus in stages and messages.")
    data: str = Field(description="Folder with train, devel and test, a single file, or `demo`.")
    role: Literal["target", "auxiliary"] = Field(
        "auxiliary", description="The target is evaluated; an epoch is one pass over it."
    )
    head: str = Field("", description="Head for this corpus; corpora with the same labels may share one.")
    weight: float = Field(1.0, gt=0, description="Factor on the loss of this corpus.")
    format: Name | None = Field(None, description="Format of the corpus; found from its content if not given.")
    label: str | None = Field(None, description="Label of bare B/I/O tags; the corpus's name if not given.")
    files: dict[str, str] | None = Field(None, description='File of each split, e.g. { train = "train.tsv" }.')
    repair: bool = Field(False, description="Repair this corpus where a stated rule can, and count the repairs.")
    map: dict[str, str] | None = Field(None, description='Labels to rename, e.g. { Dis = "Disease" }.')
    train_sentences: int | None = Field(None, ge=1, description="Train on a sample of this many sentences.")
    loss: LossSettings | None = Field(
        None, description="Loss and class weights for this corpus; the recipe's if not given."
    )

    @property
    def head_name(self) -> str:
        """The head for this corpus: its own where none is named."""
        return self.head or self.name

    @property
    def corpus_key(self) -> str:
        """A key for the corpus: where it is and how it is read."""
        return key_of(self)


class SamplingSettings(Settings):
    """Sampling of batches from several corpora; an epoch is one pass over the target."""

    rule: Literal["proportional", "temperature", "round-robin", "target-share"] = Field(
        "proportional", description="Rule for the number of batches of the auxiliary corpora."
    )
    temperature: float = Field(
        2.0, ge=1, description="For `temperature`: 1 is proportional; the higher, the more even."
    )
    share: float = Field(0.5, gt=0, lt=1, description="For `target-share`: the target's share of the batches.")

    @model_validator(mode="after")
    def _is_used(self) -> "SamplingSettings":
        for name, rule in (("temperature", "temperature"), ("share", "target-share")):
            # the recipe of a run names all settings, also defaults that its rule does not use
            is_default = (
                "rule" in self.model_fields_set and getattr(self, name) == type(self).model_fields[name].default
            )
            if name in self.model_fields_set and rule != self.rule and not is_default:
                raise ValueError(f'`{name}` is for `rule = "{rule}"` only, and the rule is "{self.rule}"')
        return self


class StageSettings(Settings):
    """A stage of the training with its own corpora and learning-rate schedule."""

    corpora: tuple[str, ...] = Field(min_length=1, description="Names of the corpora to train on.")
    epochs: int | None = Field(None, ge=1, description="Passes over the target; optimiser.epochs if not given.")
    learning_rate: float | None = Field(
        None, gt=0, description="Peak learning rate; optimiser.learning_rate if not given."
    )


class TrainSettings(Settings):
    """Settings of every training; a task adds its own in a subclass."""

    data: str = Field(description="Folder with train, devel and test, or `demo`.")
    output: str = Field(description="Folder of the run.")
    task: Name = Field("ner", description="A registered task.")
    encoder: str = Field("minilm", description="Alias, folder or hub name of the pretrained encoder.")
    lower_case: bool | None = Field(
        None,
        description="Lower-case the text; if not given, by the encoder's files or else its vocabulary.",
    )
    seed: int = Field(1, ge=0, lt=2**32, description="Seed of all random numbers.")
    format: Name | None = Field(None, description="Format of the corpus; found from its content if not given.")
    label: str | None = Field(None, description="Label of bare B/I/O tags; the corpus's name if not given.")
    files: dict[str, str] | None = Field(None, description='For ner: file of each split, e.g. { train = "train.tsv" }.')
    repair: bool = Field(False, description="Repair the corpora where a stated rule can, and count the repairs.")
    train_on: Literal["train", "train_dev"] = Field(
        "train", description="Split to train on; with train_dev (train and devel joined) the last epoch is kept."
    )
    train_sentences: int | None = Field(None, ge=1, description="Train on a sample of this many sentences.")
    devel_sentences: int | None = Field(None, ge=1, description="Choose the epoch on a sample of this many sentences.")
    sample_seed: int = Field(0, ge=0, description="Seed of these samples; they are the same for every `seed`.")
    threads: int | None = Field(None, ge=1, le=1024, description="CPU threads; torch's own choice if not given.")
    checkpoint_minutes: float = Field(5.0, ge=0, description="Minutes between checkpoints within an epoch.")
    tracker: Literal["tensorboard", "mlflow", "wandb"] | None = Field(None, description="Where to report progress.")
    window: WindowSettings = WindowSettings()
    loss: LossSettings = LossSettings()
    optimiser: OptimiserSettings = OptimiserSettings()
    selection: SelectionSettings = SelectionSettings()
    lora: LoraSettings | None = Field(None, description="Low-rank adapters (LoRA) instead of full fine-tuning.")
    corpora: tuple[CorpusSettings, ...] = Field((), description="Several corpora (multi-task training) instead of one.")
    sampling: SamplingSettings = SamplingSettings()
    stages: tuple[StageSettings, ...] = Field(
        (), description="Stages of the training; a single one with all corpora if not given."
    )

    @property
    def corpus_key(self) -> str:
        """A key for the corpus: where it is and how it is read."""
        return key_of(self)

    @property
    def without_effect(self) -> frozenset[str]:
        """Names of settings that change neither what is learned nor what is predicted."""
        return frozenset({"threads"})

    @model_validator(mode="before")
    @classmethod
    def _data_is_the_targets(cls, values: Any) -> Any:
        """Take `data` from the target where several corpora are given."""
        corpora = values.get("corpora") if isinstance(values, dict) else None
        if not corpora or "data" in values:
            return values
        listed = (
            corpora if isinstance(corpora, list | tuple) else ()
        )  # anything but a list is refused under its own name
        sections = [each.model_dump() if isinstance(each, CorpusSettings) else each for each in listed]
        targets = [each for each in sections if isinstance(each, dict) and each.get("role") == "target"]
        return {**values, "data": targets[0].get("data", "") if targets else ""}


def key_of(settings: TrainSettings | CorpusSettings, *sections: Settings) -> str:
    """Return a key for a corpus: where it is, and which settings (also those of a task) say how it is read."""
    parts = [section.model_dump_json(exclude_defaults=True) for section in sections]
    parts.append(settings.model_dump_json(include=READING, exclude_defaults=True))
    return " ".join([settings.data, *(each for each in parts if each != "{}")])
