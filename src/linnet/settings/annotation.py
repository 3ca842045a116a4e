"""Settings of `linnet annotate`: names, meanings and defaults."""

from typing import Literal

from pydantic import Field

from linnet.settings.base import Name, Settings

__all__ = ["AnnotateSettings"]


class AnnotateSettings(Settings):
    """All settings of an annotation job."""

    source: str = Field(description="A file, a folder, or `-` for standard input.")
    model: str = Field(description="Folder of a trained or exported model, or the hub name of a tagger.")
    labels: str | None = Field(None, description="File with the tags of a tagger's outputs, if it does not name them.")
    label: str | None = Field(None, description="Label of a tagger's bare B/I/O tags.")
    output: str | tuple[str, ...] = Field(description="File to write; with `shard` a folder of files; or several.")
    source_format: Name | None = Field(None, description="Format of the input; found from its content if not given.")
    repair: bool = Field(False, description="Repair the input where a stated rule can, and count the repairs.")
    target_format: Name | tuple[Name, ...] | None = Field(
        None, description="Format of the output; taken from its suffix if not given. One for each of several outputs."
    )
    limit: int | None = Field(None, ge=1, description="Annotate only this number of documents, the first of the input.")
    engine: Literal["torch", "onnx"] | None = Field(
        None, description="Engine that runs the model; by the model folder if not given."
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
