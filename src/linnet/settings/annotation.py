"""Settings of `linnet annotate`: names, meanings and defaults."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from linnet.settings.base import Name, Settings, ThresholdsByLabel
from linnet.settings.label_lists import split_labels

__all__ = [
    "DEFAULT_MODEL",
    "LINK_OPTION_NAMES",
    "OPTION_NAMES",
    "AnnotateSettings",
    "EnginePrecision",
    "list_vocabularies",
]

DEFAULT_MODEL = "bio"  # of the embedded models
EnginePrecision = Literal["auto", "float32", "bfloat16"]  # `auto` is the one that is faster on this processor


class AnnotateSettings(Settings):
    """All settings of an annotation job."""

    source: str = Field(description="A file, a folder, or `-` for standard input.")
    model: str = Field(
        DEFAULT_MODEL,
        description="Folder of a trained or exported model, an embedded model, a tagger's hub name, or `vocabulary:V`.",
    )
    labels: str | None = Field(None, description="File with the tags of a tagger's outputs, if it does not name them.")
    label: str | None = Field(None, description="Label of a tagger's bare B/I/O tags.")
    output: str | tuple[str, ...] = Field(description="File to write; with `shard` a folder of files; or several.")
    source_format: Name | None = Field(None, description="Format of the input; found from its content if not given.")
    id_field: Name | None = Field(
        None, description="Field of JSON lines with the id; the number of the line if not given."
    )
    text_field: tuple[Name, ...] = Field((), description="Field of JSON lines with the text; several are joined.")
    repair: bool = Field(False, description="Repair the input where a stated rule can, and count the repairs.")
    target_format: Name | tuple[Name, ...] | None = Field(
        None, description="Format of the output; taken from its suffix if not given. One for each of several outputs."
    )
    also_names: tuple[str, ...] = Field(
        (), description="Vocabularies whose names are added where the model finds nothing; `Label=V` gives the label."
    )
    same_abbreviations: bool | None = Field(
        None,
        description="Give abbreviations the label of their long forms, and the other way round; the model's own choice "
        "if not given.",
    )
    link: tuple[str, ...] = Field(
        (),
        description="Vocabularies or trained linkers to link mentions with; `Label=V` for the mentions of one label.",
    )
    keep_labels: tuple[str, ...] = Field(
        (), description="Labels whose mentions are kept; those of others are left out. All if not given."
    )
    min_link_score: float | None = Field(
        None, ge=0, le=1, description="Lowest score of a link; the linker's own threshold if not given."
    )
    keep_links: bool = Field(
        False, description="Mentions of the input that have a link keep it; for `linnet link`, not with a model."
    )
    candidates: int = Field(0, ge=0, description="Candidates of each mention that are kept beside its links.")
    limit: int | None = Field(None, ge=1, description="Annotate only this number of documents, the first of the input.")
    min_score: ThresholdsByLabel = Field(
        {}, description="Least confidence of mentions that are kept, by label; `*` for all others. A number: for all."
    )
    engine: Literal["torch", "onnx"] | None = Field(
        None, description="Engine that runs the model; by the model folder if not given."
    )
    precision: EnginePrecision | None = Field(
        None,
        description="Number format of the engine torch; `auto` measures whether bfloat16 is faster here. auto if not "
        "given.",
    )
    shard: int | None = Field(None, ge=1, le=10**9, description="Documents per file; the output is then a folder.")
    threads: int | None = Field(None, ge=1, description="CPU threads; the engine's own choice if not given.")
    strict: bool = Field(False, description="Stop at the first document that fails instead of recording the failure.")
    resume: bool = Field(False, description="Resume an interrupted job.")
    overwrite: bool = Field(False, description="Replace an existing output, and an interrupted job for it.")
    ray: str | None = Field(None, description="Address of a Ray cluster to annotate on; also `auto` and `local`.")
    workers: int | None = Field(
        None, ge=1, description="Worker processes on the cluster; one per processor if not given."
    )

    @model_validator(mode="after")
    def _check_fields(self) -> "AnnotateSettings":
        if self.id_field is not None and not self.text_field:
            raise ValueError("--id-field names a field of JSON lines: name that of the text too, with --text-field")
        if self.text_field and self.source_format not in (None, "jsonl"):
            raise ValueError(f"--text-field names a field of JSON lines, and the input is read as {self.source_format}")
        return self

    @field_validator("keep_labels", mode="before")
    @classmethod
    def _read_labels(cls, given: Any) -> Any:
        """Take `Disease,Chemical`, once or several times, as labels."""
        return split_labels(given)

    @property
    def outputs(self) -> tuple[str, ...]:
        """All outputs, in the order in which they were given."""
        return (self.output,) if isinstance(self.output, str) else self.output

    @property
    def target_formats(self) -> tuple[str, ...]:
        """The format of each output; none where the suffixes decide."""
        if self.target_format is None:
            return ()
        return (self.target_format,) if isinstance(self.target_format, str) else self.target_format


OPTION_NAMES = {  # of the settings on the command line
    **{name: "--" + name.replace("_", "-") for name in AnnotateSettings.model_fields},
    "source": "INPUT",
    "source_format": "--from",
    "target_format": "--to",
}


def list_vocabularies(given: Any) -> Any:
    """Return the vocabularies of `link` as a list: of one, of several, or by label; anything else as it is.

    >>> list_vocabularies({"Disease": "vocabularies/medic"})
    ['Disease=vocabularies/medic']
    """
    if isinstance(given, str | Path):
        return [given]
    if isinstance(given, Mapping):
        return [f"{label}={place}" for label, place in given.items()]
    return given


LINK_OPTION_NAMES = {"link": "--vocabulary", "min_link_score": "--min-score"}  # where `linnet link` has other names
