"""What can be set, what does each setting mean, and what is its default?

This is the only place where a shared default is written: commands, recipes, documentation and the Python API read it
here. Settings are frozen, unknown keys are refused, and all problems are reported together.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from linnet.errors import BadSetting
from linnet.toml import read_toml, toml_text

__all__ = [
    "LoraSettings",
    "LossSettings",
    "OptimiserSettings",
    "SelectionSettings",
    "Settings",
    "TrainSettings",
    "WindowSettings",
    "described",
    "load_settings",
    "put_setting",
    "to_toml",
    "with_overrides",
]

S = TypeVar("S", bound="Settings")
SHORT_NAMES = {  # what the command line and Python call settings that stand in a section
    "scheme": "loss.scheme",
    "beta": "loss.beta",
    "loss": "loss.name",
    "epochs": "optimiser.epochs",
    "batch_size": "optimiser.batch_size",
    "learning_rate": "optimiser.learning_rate",
    "max_length": "window.max_length",
}
Values = dict[str, Any]  # what TOML gives; checked by pydantic


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

    name: str = Field("cross-entropy", description="A registered loss; `linnet list losses` prints them.")
    scheme: str = Field("none", description="A registered weighting scheme; `none` prices all tags alike.")
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

    matching: str = Field("strict", description="The matching whose devel F1 chooses the epoch.")
    patience: int | None = Field(None, ge=1, description="Epochs without a better devel F1 after which training stops.")


class LoraSettings(Settings):
    """Low-rank adapters instead of full fine-tuning (extra `lora`); merged into the model on saving."""

    rank: int = Field(16, ge=1, description="Rank of the adapters.")
    alpha: int = Field(32, gt=0, description="Scale of the adapters.")
    dropout: float = Field(0.05, ge=0, lt=1, description="Dropout before the adapters.")


class TrainSettings(Settings):
    """Everything `linnet train` needs to know, and nothing it does not."""

    data: str = Field(description="Folder with train, devel and test, or `demo`.")
    output: str = Field(description="Folder of the run.")
    task: str = Field("ner", description="A registered task.")
    encoder: str = Field("minilm", description="Alias, folder or hub name of the pretrained encoder.")
    seed: int = Field(1, ge=0, description="Seed of everything that is random.")
    format: str | None = Field(None, description="Format of the corpus; found from its content if not given.")
    label: str | None = Field(None, description="What bare B/I/O tags mark; the corpus's name if not given.")
    tagging: Literal["io", "iob2", "iobes", "bilou"] = Field("iob2", description="Tagging that the model learns.")
    train_on: Literal["train", "train_dev"] = Field("train", description="Split to learn from.")
    train_sentences: int | None = Field(None, ge=1, description="Learn from a sample of so many sentences.")
    devel_sentences: int | None = Field(None, ge=1, description="Choose the epoch on a sample of so many sentences.")
    sample_seed: int = Field(0, ge=0, description="Seed of these samples; they are the same for every `seed`.")
    threads: int | None = Field(None, ge=1, description="CPU threads; torch's own choice if not given.")
    checkpoint_minutes: float = Field(5.0, ge=0, description="Minutes between checkpoints within an epoch.")
    tracker: Literal["tensorboard", "mlflow", "wandb"] | None = Field(None, description="Where to report progress.")
    window: WindowSettings = WindowSettings()
    loss: LossSettings = LossSettings()
    optimiser: OptimiserSettings = OptimiserSettings()
    selection: SelectionSettings = SelectionSettings()
    lora: LoraSettings | None = Field(None, description="Adapters instead of full fine-tuning.")


def load_settings(kind: type[S], path: Path | None, overrides: Sequence[str] = (), **given: Any) -> S:
    """Return the settings of a TOML file, with given values and then `key=value` overrides on top.

    Given values may use the short names (`epochs` for `optimiser.epochs`); `None` counts as not given.

    Raises:
        BadSetting: with all problems at once.
    """
    values = read_toml(path) if path is not None else {}
    for key, value in given.items():
        if value is not None:
            put_setting(values, key, value)
    return with_overrides(kind, values, overrides, where=str(path) if path else "the options")


def with_overrides(kind: type[S], values: Mapping[str, Any], overrides: Sequence[str], *, where: str) -> S:
    """Return checked settings from plain values and `key=value` overrides (`optimiser.epochs=3`)."""
    merged: Values = dict(values)
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals or not key:
            raise BadSetting(f"--set {override}: expected key=value", "e.g. --set optimiser.epochs=3")
        _put(merged, key.strip(), _parsed(text.strip()))
    try:
        return kind.model_validate(merged)
    except ValidationError as error:
        raise BadSetting(f"{where}: {_all_problems(error, kind)}", "correct them all, then start again") from None


def put_setting(values: Values, name: str, value: Any) -> None:
    """Put one setting into plain values, by its dotted or its short name (`epochs` for `optimiser.epochs`)."""
    is_section = isinstance(value, Mapping)
    _put(values, name if is_section else SHORT_NAMES.get(name, name), value)


def to_toml(settings: Settings) -> str:
    """Return the settings as a TOML file that `load_settings` reads back; what is not set is left out."""
    return toml_text(settings.model_dump(exclude_none=True))


def described(kind: type[Settings], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield each setting's dotted name with its description and default."""
    for name, field in kind.model_fields.items():
        kinds = get_args(field.annotation) or (field.annotation,)
        sections = [each for each in kinds if isinstance(each, type) and issubclass(each, Settings)]
        if sections:
            yield from described(sections[0], f"{prefix}{name}.")
            continue
        default = "required" if field.is_required() else f"default {json.dumps(field.default)}"
        yield prefix + name, f"{field.description} [{default}]"


def _put(values: Values, dotted: str, value: Any) -> None:
    *sections, last = dotted.split(".")
    for section in sections:
        inner = values.get(section)
        values[section] = dict(inner) if isinstance(inner, Mapping) else {}
        values = values[section]
    values[last] = value


def _parsed(text: str) -> Any:
    """Read the text as TOML would; what is no TOML value is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _all_problems(error: ValidationError, kind: type[Settings]) -> str:
    lines = []
    for problem in error.errors():
        key = ".".join(str(part) for part in problem["loc"]) or "settings"
        if problem["type"] == "extra_forbidden":
            lines.append(f"{key}: there is no such setting{_nearest(key, kind)}")
        elif problem["type"] == "missing":
            lines.append(f"{key}: is missing")
        else:
            lines.append(f"{key}: {problem['msg']}, found {problem['input']!r}")
    return "\n  ".join([f"{len(lines)} problem{'s' * (len(lines) > 1)} with the settings", *lines])


def _nearest(key: str, kind: type[Settings]) -> str:
    from difflib import get_close_matches

    known = dict(described(kind))
    near = get_close_matches(key, known, n=1) or [name for name in known if name.split(".")[-1] == key.split(".")[-1]]
    return f"; did you mean {near[0]!r}?" if near else ""
