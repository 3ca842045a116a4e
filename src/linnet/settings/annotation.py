"""What can be set for annotating, what does each setting mean, and what is its default?"""

from typing import Literal

from pydantic import Field

from linnet.settings.base import Name, Settings

__all__ = ["AnnotateSettings"]


class AnnotateSettings(Settings):
    """Everything `linnet annotate` needs to know."""

    source: str = Field(description="A file, a folder, or `-` for standard input.")
    model: str = Field(description="Folder of a trained or exported model, or the hub name of a tagger.")
    labels: str | None = Field(None, description="File with the tags of a tagger's outputs, where it names none.")
    label: str | None = Field(None, description="What bare B/I/O tags of a tagger mark.")
    output: str = Field(description="File to write, or with `shard` the folder of files.")
    source_format: Name | None = Field(None, description="Format of the input; found from its content if not given.")
    repair: bool = Field(False, description="Mend what can be mended in the input by a stated rule, and count it.")
    target_format: Name | None = Field(None, description="Format of the output; taken from its suffix if not given.")
    engine: Literal["torch", "onnx"] | None = Field(None, description="What computes; as the model folder is.")
    shard: int | None = Field(None, ge=1, description="Documents in each file of an output that is a folder.")
    threads: int | None = Field(None, ge=1, description="CPU threads; the engine's own choice if not given.")
    strict: bool = Field(False, description="Stop at the first document that fails, instead of recording it.")
    resume: bool = Field(False, description="Go on with an interrupted job.")
    overwrite: bool = Field(False, description="Replace what is there, and an interrupted job with it.")
    ray: str | None = Field(None, description="Address of a Ray cluster that does the work; `auto`, `local`.")
    workers: int | None = Field(None, ge=1, description="Processes of the cluster; one per processor if not given.")
