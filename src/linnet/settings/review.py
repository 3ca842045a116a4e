"""Settings of `linnet review`: names, meanings and defaults."""

from pydantic import Field

from linnet.settings.base import Name, Settings

__all__ = ["ReviewSettings"]


class ReviewSettings(Settings):
    """All settings of a review."""

    source: str = Field(description="A file or folder with documents.")
    output: str = Field(description="File for the documents that were decided on; its journal stands beside it.")
    model: str | None = Field(
        None, description="Model whose mentions are proposed; those of the documents if not given."
    )
    replace: bool = Field(
        False, description="May the model's mentions stand in for those that the documents have already?"
    )
    beside: str | None = Field(
        None, description="Another annotation of the same documents, shown beside the one that is corrected."
    )
    labels: tuple[str, ...] = Field(
        (), description="Labels to choose from before all others; those of the model and of the documents follow."
    )
    link: tuple[str, ...] = Field(
        (),
        description="Vocabularies or trained linkers to link mentions with; `Label=V` for the mentions of one label.",
    )
    source_format: Name | None = Field(None, description="Format of the input; found from its content if not given.")
    target_format: Name | None = Field(None, description="Format of the output; taken from its suffix if not given.")
    least_confident_first: bool = Field(
        False, description="Begin with the documents whose mentions the model is least sure of."
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    engine: str | None = Field(None, description="Engine that runs the model; by the model folder if not given.")
    threads: int | None = Field(None, ge=1, description="CPU threads; the engine's own choice if not given.")
    overwrite: bool = Field(False, description="Begin again: replace an existing output and its journal.")
