"""Settings of distillation: teachers, unlabelled texts, and how their soft targets count."""

from pydantic import Field, model_validator

from linnet.settings.base import Name, Settings

__all__ = ["DistillSettings"]


class DistillSettings(Settings):
    """Distillation: soft targets of teachers on unlabelled text, learned beside the gold targets of the corpora."""

    teachers: tuple[str, ...] = Field(min_length=1, description="Model folders, or names of embedded models.")
    texts: tuple[str, ...] = Field(min_length=1, description="Files or folders with text, as `annotate` reads them.")
    format: Name | None = Field(None, description="Format of the texts; found from their content if not given.")
    text_field: tuple[str, ...] = Field((), description="Field of JSON lines with the text; several are joined.")
    id_field: Name | None = Field(None, description="Field of JSON lines with the document's id; needs text_field.")
    labels: tuple[str, ...] = Field((), description="Entity types that no corpus annotates, learned from teachers.")
    map: dict[str, str] | None = Field(None, description='Labels of teachers to rename, e.g. { Dis = "Disease" }.')
    temperature: float = Field(1.0, gt=0, description="Above 1, unlikely tags count more (both sides are softened).")
    share: float = Field(0.5, gt=0, lt=1, description="Share of batches with soft targets; the others have gold ones.")
    min_confidence: float = Field(
        0.0, ge=0, lt=1, description="Words are not learned from a teacher whose best tag is less likely than this."
    )
    sentences: int | None = Field(None, ge=1, description="Learn from a sample of this many sentences of the texts.")
    targets: str | None = Field(None, description="Folder that keeps the soft targets; one in the cache if not given.")

    @model_validator(mode="after")
    def _check_fields(self) -> "DistillSettings":
        if self.id_field is not None and not self.text_field:
            raise ValueError("distill.id_field names a field of JSON lines: name that of the text too, as text_field")
        return self
