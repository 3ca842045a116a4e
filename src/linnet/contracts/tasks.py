"""The contract of a task: what training, evaluation, annotation, comparison and the command line call.

`Task` is the whole contract; `Plan`, `Evaluation` and `Model` are what its verbs return. The other packages call
these verbs and know no task by name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from linnet.contracts.export import Exportable
from linnet.contracts.models import Model
from linnet.errors import LinnetError
from linnet.labels.mention import Mention
from linnet.registry import Registry

if TYPE_CHECKING:  # a command that only reads files starts without numpy and pydantic
    import numpy as np
    from numpy.typing import NDArray

    from linnet.settings.training import TrainSettings

__all__ = ["CorpusFacts", "Evaluation", "Folds", "Outcome", "Outcomes", "Plan", "PublishedScore", "Table", "Task",
           "has_network", "task_of_folder", "tasks"]  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Scores laid out for a terminal or a report: the first column holds text, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()  # one for each row, shown where there is room
    remark: str = ""  # heading of the remarks


@dataclass(frozen=True)
class CorpusFacts:
    """Facts about a corpus that a comparison needs before anything is trained."""

    fingerprints: Mapping[str, str]  # digest by split
    sizes: Callable[[], dict[str, tuple[int, int]]]  # sentences (or texts) and words of each split; counted when called
    tags: Callable[[], Mapping[str, int]] | None = None  # how often each occurs in training; None without tags
    check: Callable[[], None] = lambda: None  # refuses files beside the corpus that do not fit it
    has_documents: Callable[[str], bool] = lambda _: False  # is it known which sentences of a split are one document?


@dataclass(frozen=True)
class Outcome:
    """Scores of one run, and its predictions for each test unit (a sentence or a text)."""

    score: float
    labels: Mapping[str, float]  # the score of each label
    right: "NDArray[np.bool_]"  # whether all predictions for a unit are right
    predicted: Sequence[tuple[Mention, ...]]  # by words, of each unit
    beside: Mapping[str, float] = field(default_factory=dict)  # other scores by title, such as precision and recall


@dataclass(frozen=True)
class Outcomes:
    """Runs that were scored on the same test units."""

    runs: Sequence[Outcome]
    words: Sequence[Sequence[str]]  # of each unit
    gold: Sequence[tuple[Mention, ...]]
    n_units: int  # that scores are resampled over
    resample: "Callable[[], Sequence[NDArray[np.float64]]]"  # each run's score on each resample, the same for all runs
    units: str = ""  # what they are: documents, sentences, examples or questions; empty if the task does not say
    effective_units: float | None = None  # how many units of equal size tell as much; None if all count alike


@dataclass(frozen=True)
class PublishedScore:
    """Scores that a paper reports for such a run, as fractions."""

    value: float
    source: str  # the reference, with the table and the metric
    beside: Mapping[str, float] = field(default_factory=dict)  # precision and recall, where they are printed


class Plan(Protocol):
    """A training whose corpus was read and checked; no network is loaded yet."""

    @property
    def settings(self) -> "TrainSettings":
        """The settings of the training."""
        ...

    def changed(self, settings: Any, /) -> "Plan":
        """Return the same plan with other settings of the optimiser."""
        ...

    def build(self) -> Any:
        """Return the network with its losses (`linnet.training.network`); the caller has set the seed."""
        ...

    def jobs(self, model: Any, folder: Path, watcher: Any, /) -> Iterator[Any]:
        """Yield the stages of the training (`linnet.training.job`), one after the other."""
        ...

    def finish(self, output: Path, model: Any, history: Any, /) -> None:
        """Evaluate the trained network and fill the run folder."""
        ...


class Folds(Protocol):
    """A cross-validation: one run for each fold, and their mean."""

    @property
    def settings_by_fold(self) -> "Mapping[str, TrainSettings]":
        """The settings of each fold's run."""
        ...

    def finish(self, runs: Mapping[str, Any], /) -> None:
        """Write the mean over the folds' runs into the run folder."""
        ...


class Evaluation(Protocol):
    """Scores of a model with every prediction behind them."""

    @property
    def split(self) -> str | None:
        """The split that was scored, where a corpus was read."""
        ...

    @property
    def main_score(self) -> float:
        """The score that counts most."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What was repaired, widened or left out in reading."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What the scores can hide."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values: `task`, `metric`, `scores` by name with value, low, high, n and unit, and more."""
        ...

    def tables(self) -> list[Table]:
        """Return the scores as tables."""
        ...

    def write_predictions(self, path: Path) -> None:
        """Write the predictions, so that scores can be computed from them again."""
        ...

    def write_page(self, folder: Path, *, title: str, details: Mapping[str, str]) -> Path:
        """Write a page to browse the errors and return its path."""
        ...


class Task(Protocol):
    """A kind of prediction: one folder that holds everything only this task knows.

    `linnet.tasks.texts.task.TextTask` does most of it for tasks about whole texts.
    """

    name: str
    description: str  # one line for `linnet list tasks`
    default_metric: str  # that grids compare by; empty where the corpus decides
    score_title: str  # title of the devel score in progress bars

    @property
    def settings(self) -> "type[TrainSettings]":
        """The settings of its recipes: those of every training and its own."""
        ...

    def problems(self, settings: Any, /) -> list[LinnetError]:
        """Return the problems with the settings that show without corpus and encoder."""
        ...

    def plan(self, settings: Any, /) -> Plan:
        """Read and check everything that can be checked before a network is loaded; report all problems together."""
        ...

    def folds(self, settings: Any, /) -> Folds | None:
        """Return the folds of a cross-validation, None where the settings ask for a single run."""
        ...

    def load(self, folder: Path, /, **options: Any) -> Model:
        """Open a model folder; `device`, `engine` and `threads` are known to all tasks, None as their default."""
        ...

    def exportable(
        self, folder: Path, /, *, check: str | Path | None, split: str, label: str | None, repair: bool
    ) -> Exportable:
        """Open a model to be written as ONNX, with the corpus (or embedded texts) that it is compared on."""
        ...

    def evaluate(self, model: str | Path, corpus: str | Path, /, **options: Any) -> Evaluation:
        """Score a model on a corpus; `split`, `repair` and `threads` are known to all tasks."""
        ...

    def tables(self, metrics: Mapping[str, Any], /) -> list[Table]:
        """Return the scores of a run's `metrics.json` as tables."""
        ...

    def corpora(self, settings: Any, metric: str, /) -> Mapping[str, CorpusFacts]:
        """Return the corpora of a run by key, the one to be evaluated first; refuse a metric the task does not have."""
        ...

    def count(self, folder: Path, /, *, label: str | None, repair: bool) -> Mapping[str, Mapping[str, int]]:
        """Return counts for each split of a corpus folder, by what is counted."""
        ...

    def texts(self, place: Path, /, *, files: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
        """Return the texts of each split, so that pretraining can leave out texts of evaluation corpora."""
        ...

    def outcomes(
        self, runs: Sequence[tuple[Path, Any]], /, *, metric: str, n_resamples: int, seed: int, split: str = "test"
    ) -> Outcomes:
        """Return the scores of finished runs (folder and settings) on the same units, from their predictions.

        The units are those of the test split, or of devel where `split` says so.
        """
        ...

    def metric_title(self, metric: str, /) -> str:
        """Return the title of a score in tables."""
        ...

    def published(self, settings: Any, metric: str, /) -> PublishedScore | None:
        """Return the scores that a paper published for such a run, None where none are known."""
        ...


tasks: Registry[Task] = Registry("task", home="linnet.tasks", contract=Task)


def has_network(task: Task, settings: Any) -> bool:
    """Does a training with these settings train a network? Without one, its plan does all in `finish`.

    A task that does not always train one has a method `has_network(settings)`.
    """
    asked = getattr(task, "has_network", None)
    return True if asked is None else asked(settings)


def task_of_folder(folder: Path, options: Mapping[str, Any]) -> str | None:
    """Return the task that evaluates a folder which is no model of its own, or a model of another task.

    A task may name the file by which it knows its folders that need no training (`folder_marker`), names of such
    folders that come with Linnet (`embedded_names`), and an option with which it evaluates models of other tasks
    (`judging_option`). None if there is no such task.
    """
    for name in tasks.names():
        task = tasks.get(name)
        marker, option = getattr(task, "folder_marker", None), getattr(task, "judging_option", None)
        is_embedded = str(folder) in getattr(task, "embedded_names", ()) and not folder.exists()
        if (marker and (folder / marker).is_file()) or is_embedded or (option and option in options):
            return name
    return None
