"""Settings of a training about whole texts: the section `text` of a recipe."""

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import Field, create_model

from linnet.settings.base import Settings
from linnet.settings.training import TrainSettings, key_of

__all__ = ["S", "TextSettings", "TextTrainSettings", "with_section"]


class TextSettings(Settings):
    """The section `text`: how texts are read and classified; a task may add settings of its own in a subclass."""

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


class TextTrainSettings(TrainSettings):
    """What only the training of a model about texts needs to know."""

    text: TextSettings = TextSettings()

    @property
    def corpus_key(self) -> str:
        """What tells a corpus from others: where it is and how it is read."""
        return key_of(self, self.text)

    def __reduce__(self) -> tuple[Callable[..., "TextTrainSettings"], tuple[type[TextSettings], dict[Any, Any]]]:
        """Be pickled by the class of the section: `with_section` builds the class of the whole, so no module has it."""
        return _restore, (type(self.text), self.__getstate__())


S = TypeVar("S", bound=TextSettings)


@cache
def with_section(section: type[TextSettings]) -> type[TextTrainSettings]:
    """Return the settings of a training whose section `text` is of this class."""
    if section is TextSettings:
        return TextTrainSettings
    fields: dict[str, Any] = {"text": (section, section())}
    return create_model(f"{section.__name__}OfTraining", __base__=TextTrainSettings, **fields)


def _restore(section: type[TextSettings], state: dict[Any, Any]) -> TextTrainSettings:
    """Return pickled settings; they were checked before, so they are not checked again."""
    found = with_section(section).__new__(with_section(section))
    found.__setstate__(state)
    return found
