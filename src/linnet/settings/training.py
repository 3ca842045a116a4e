"""What can be set, what does each setting mean, and what is its default?

This is the only place where a shared default is written: commands, recipes, documentation and the Python API read it
here. Settings are frozen and unknown keys are refused; `settings_files.py` reads and writes them.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

__all__ = [
    "CorpusSettings",
    "LoraSettings",
    "LossSettings",
    "Name",
    "OptimiserSettings",
    "SamplingSettings",
    "SelectionSettings",
    "Settings",
    "StageSettings",
    "TextSettings",
    "TrainSettings",
    "WindowSettings",
]


LOWER_CASE = BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given)
Name = Annotated[str, LOWER_CASE]  # of something registered, which is found in any letter case


class Settings(BaseModel):
    """A frozen section of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class WindowSettings(Settings):
    """How sentences are read by the encoder."""

    max_length: int = Field(256, ge=8, description="Sub-words that are read together; longer sentences get windows.")
    overlap: int | None = Field(None, ge=0, description="Sub-words that windows share; a quarter if not given.")
    all_subwords: bool = Field(False, description="Learn from all sub-words of a word instead of the first.")

    @model_validator(mode="after")
    def _overlap_fits(self) -> "WindowSettings":
        if self.overlap is not None and self.overlap > self.max_length // 2:
            raise ValueError("`overlap` must be at most half of `max_length`")
        return self


class LossSettings(Settings):
    """How mistakes are priced."""

    name: Name = Field("cross-entropy", description="A registered loss; `linnet list losses` prints them.")
    scheme: Name = Field("none", description="A registered weighting scheme; `none` prices all tags alike.")
    beta: float | None = Field(None, ge=0, lt=1, description="For `ens` only: the effective-number factor.")
    weights: dict[str, float] | None = Field(None, description="Weights by tag name, instead of a scheme.")
    gamma: float | None = Field(None, ge=0, description="For `focal` only: how much easy tokens are discounted.")
    alpha: float | None = Field(None, ge=0, lt=1, description="For `dice` only: how much easy tokens are discounted.")
    smoothing: float | None = Field(None, ge=0, lt=1, description="Label smoothing, where the loss has it.")

    @model_validator(mode="after")
    def _weights_or_scheme(self) -> "LossSettings":
        if self.weights is not None and self.scheme != "none":
            raise ValueError("give `weights` or a `scheme`, not both")
        return self


class OptimiserSettings(Settings):
    """How the network's weights are changed."""

    epochs: int = Field(6, ge=0, description="Passes over the training split; 0 only evaluates.")
    batch_size: int = Field(16, ge=1, description="Sentences (windows) per update and accumulation step.")
    accumulation: int = Field(1, ge=1, description="Batches whose gradients are added before an update.")
    most_tokens: int | None = Field(
        None,
        ge=1,
        description="For ner on CPUs: sub-words computed at once, to save memory; by the encoder's size if not given.",
    )
    learning_rate: float = Field(3e-4, gt=0, description="Peak learning rate.")
    warmup: float = Field(0.1, ge=0, lt=1, description="Share of the updates over which the rate rises.")
    weight_decay: float = Field(0.01, ge=0, description="Weight decay (AdamW), not on biases and norms.")
    clip: float = Field(1.0, ge=0, description="Largest norm of the gradient; 0 does not clip.")
    dropout: float | None = Field(
        None, ge=0, lt=1, description="Dropout of the network; the encoder's own if not given."
    )
    attention_dropout: float = Field(
        0.0, ge=0, lt=1, description="Dropout of attention; at 0 the fused kernels are used, which are faster."
    )
    layer_decay: float = Field(1.0, gt=0, le=1, description="Factor on the rate from each layer to the one below.")
    head_factor: float = Field(1.0, gt=0, description="Factor on the learning rate of the head.")
    freeze_layers: int = Field(0, ge=0, description="Lower layers (with the embeddings) that stay as they are.")
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Number format; auto is float32 on CPUs and mixed bfloat16 on GPUs that have it."
    )


class SelectionSettings(Settings):
    """Which epoch is kept."""

    matching: Name = Field("strict", description="For ner: the matching whose devel F1 chooses the epoch.")
    metric: str | None = Field(None, description="For other tasks: the devel score that chooses it; the task's first.")
    patience: int | None = Field(None, ge=1, description="Epochs without a better devel F1 after which training stops.")


class TextSettings(Settings):
    """How texts are read and answered, for all tasks but ner."""

    pooling: Literal["cls", "mean", "markers"] | None = Field(
        None, description="What stands for a text: its first token, the mean, or its markers; the task's own if none."
    )
    windows: Literal["mean", "max"] = Field("mean", description="How the scores of a long text's windows are joined.")
    files: dict[str, tuple[str, ...]] | None = Field(
        None, description='Files of each split, e.g. { train = ["4B.json", "5B.json"], test = ["6B.json"] }.'
    )
    devel_share: float = Field(
        0.1, ge=0, lt=1, description="Share of the training split that becomes devel where there is none."
    )
    folds: bool = Field(False, description="Train and test each of the corpus's folders 1, 2, ... as a fold.")
    fold_overlap: int = Field(0, ge=0, description="Texts that the folds' tests may share; GAD's own share 141.")
    columns: dict[str, str] | None = Field(
        None, description='Columns by what they hold, e.g. { text = "abstract", label = "topic" }, by name or number.'
    )
    several_labels: bool | None = Field(None, description="May a text have several labels? As the data say if none.")
    negative: str | None = Field(None, description="Label that says `nothing`: F1 counts the others; found if none.")
    labels: tuple[str, ...] | None = Field(
        None, description="All labels, each of them one even where it looks like several; those of training if none."
    )
    threshold: float | None = Field(
        None, gt=0, lt=1, description="Least probability of one of several labels; tuned on devel if none."
    )
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
    method: Literal["cross", "bi"] = Field("cross", description="Read both texts together, or each by itself (cosine).")
    questions: Literal["factoid", "list", "yesno"] = Field("factoid", description="Which questions are answered.")
    answerable_only: bool = Field(False, description="Learn only from texts that hold an answer.")
    no_answer: bool | None = Field(None, description="May `none` be the answer? As the training data say if none.")
    most_answers: int | None = Field(
        None, ge=1, description="Answers that are kept for a question; five, of a list a hundred, if none."
    )
    longest_answer: int = Field(100, ge=1, description="Characters; longer answers are dropped.")


class LoraSettings(Settings):
    """Low-rank adapters instead of full fine-tuning (extra `lora`); merged into the model on saving."""

    rank: int = Field(16, ge=1, description="Rank of the adapters.")
    alpha: int = Field(32, gt=0, description="Scale of the adapters.")
    dropout: float = Field(0.05, ge=0, lt=1, description="Dropout before the adapters.")


class CorpusSettings(Settings):
    """One of several corpora that are learned from together."""

    name: str = Field(min_length=1, description="What stages and messages call it.")
    data: str = Field(description="Folder with train, devel and test, a single file, or `demo`.")
    role: Literal["target", "auxiliary"] = Field("auxiliary", description="The target is evaluated, and gives epochs.")
    head: str = Field("", description="Head that learns it; corpora that agree in their labels may share one.")
    weight: float = Field(1.0, gt=0, description="Factor on the loss of this corpus.")
    format: Name | None = Field(None, description="Format of the corpus; found from its content if not given.")
    label: str | None = Field(None, description="What bare B/I/O tags mark; the corpus's name if not given.")
    files: dict[str, str] | None = Field(None, description='File of each split, e.g. { train = "train.tsv" }.')
    repair: bool = Field(False, description="Mend what can be mended by a stated rule in this corpus, and count it.")
    map: dict[str, str] | None = Field(None, description='Labels to rename, e.g. { Dis = "Disease" }.')
    train_sentences: int | None = Field(None, ge=1, description="Learn from a sample of so many sentences.")
    loss: LossSettings | None = Field(None, description="Loss and scheme of this corpus; the recipe's if not given.")

    @property
    def head_name(self) -> str:
        """The head that learns it: its own where none is named."""
        return self.head or self.name


class SamplingSettings(Settings):
    """How often each corpus has its turn; an epoch is one pass over the target, whatever the rule."""

    rule: Literal["proportional", "temperature", "round-robin", "target-share"] = Field(
        "proportional", description="How many batches the auxiliary corpora get for those of the target."
    )
    temperature: float = Field(2.0, ge=1, description="For `temperature`: 1 is proportional, more is more even.")
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
    """A part of the training with corpora and a schedule of its own."""

    corpora: tuple[str, ...] = Field(min_length=1, description="Names of the corpora that are learned from.")
    epochs: int | None = Field(None, ge=1, description="Passes over the target; optimiser.epochs if not given.")
    learning_rate: float | None = Field(None, gt=0, description="Peak rate; optimiser.learning_rate if not given.")


class TrainSettings(Settings):
    """Everything `linnet train` needs to know, and nothing it does not."""

    data: str = Field(description="Folder with train, devel and test, or `demo`.")
    output: str = Field(description="Folder of the run.")
    task: Name = Field("ner", description="A registered task.")
    encoder: str = Field("minilm", description="Alias, folder or hub name of the pretrained encoder.")
    lower_case: bool | None = Field(
        None,
        description="Whether text is lower-cased; as the encoder's files or else its vocabulary say, if not given.",
    )
    seed: int = Field(1, ge=0, lt=2**32, description="Seed of everything that is random.")
    format: Name | None = Field(None, description="Format of the corpus; found from its content if not given.")
    label: str | None = Field(None, description="What bare B/I/O tags mark; the corpus's name if not given.")
    files: dict[str, str] | None = Field(None, description='For ner: file of each split, e.g. { train = "train.tsv" }.')
    repair: bool = Field(False, description="Mend what can be mended by a stated rule in the corpora, and count it.")
    tagging: Annotated[Literal["io", "iob2", "iobes", "bilou"], LOWER_CASE] = Field(
        "iob2", description="Tagging that the model learns."
    )
    train_on: Literal["train", "train_dev"] = Field(
        "train", description="Split to learn from; with train_dev (train and devel joined) the last epoch is kept."
    )
    train_sentences: int | None = Field(None, ge=1, description="Learn from a sample of so many sentences.")
    devel_sentences: int | None = Field(None, ge=1, description="Choose the epoch on a sample of so many sentences.")
    sample_seed: int = Field(0, ge=0, description="Seed of these samples; they are the same for every `seed`.")
    threads: int | None = Field(None, ge=1, le=1024, description="CPU threads; torch's own choice if not given.")
    checkpoint_minutes: float = Field(5.0, ge=0, description="Minutes between checkpoints within an epoch.")
    tracker: Literal["tensorboard", "mlflow", "wandb"] | None = Field(None, description="Where to report progress.")
    window: WindowSettings = WindowSettings()
    loss: LossSettings = LossSettings()
    optimiser: OptimiserSettings = OptimiserSettings()
    selection: SelectionSettings = SelectionSettings()
    text: TextSettings = TextSettings()
    lora: LoraSettings | None = Field(None, description="Adapters instead of full fine-tuning.")
    head: Literal["linear", "two-layer"] = Field("linear", description="What turns the encoder's output into tags.")
    keep_heads: bool = Field(False, description="Keep the heads of all corpora beside the model, to train on with.")
    partial_labels: bool = Field(
        False, description="Corpora of one head may annotate different labels: O then says nothing about the others."
    )
    corpora: tuple[CorpusSettings, ...] = Field((), description="Several corpora instead of one.")
    sampling: SamplingSettings = SamplingSettings()
    stages: tuple[StageSettings, ...] = Field((), description="Parts of the training; one with all corpora if none.")

    @model_validator(mode="before")
    @classmethod
    def _data_is_the_targets(cls, values: Any) -> Any:
        """Let `data` be the target's where several corpora are given, so that one corpus is the special case."""
        corpora = values.get("corpora") if isinstance(values, dict) else None
        if not corpora or "data" in values:
            return values
        listed = corpora if isinstance(corpora, list | tuple) else ()  # what is no list is refused by its own name
        told = [each.model_dump() if isinstance(each, CorpusSettings) else each for each in listed]
        targets = [each for each in told if isinstance(each, dict) and each.get("role") == "target"]
        return {**values, "data": targets[0].get("data", "") if targets else ""}
