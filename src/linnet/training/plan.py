"""Which steps does a training have, whatever it is about? A plan that `recipe.py` carries out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from linnet.contracts import tasks
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.plan import TaggingPlan
from linnet.tasks.ner.prepared import prepare
from linnet.tasks.texts.plan import prepare_texts
from linnet.tasks.texts.task import TextTask
from linnet.training.history import History
from linnet.training.job import Job, Watcher
from linnet.training.network import PricedNetwork

__all__ = ["Plan", "plan_of"]


class Plan(Protocol):
    """Everything that is known before a network is loaded, and what to do with the network."""

    @property
    def settings(self) -> TrainSettings:
        """What is to be done."""
        ...

    def changed(self, settings: TrainSettings) -> "Plan":
        """Return the same plan with other settings of the optimiser."""
        ...

    def build(self) -> PricedNetwork:
        """Return the network with its loss; the caller has seeded."""
        ...

    def jobs(self, model: PricedNetwork, folder: Path, watcher: Watcher) -> Iterator[Job]:
        """Yield the stages of the training, one after the other."""
        ...

    def finish(self, output: Path, model: PricedNetwork, history: History) -> None:
        """Evaluate the trained network and fill the run folder."""
        ...


def plan_of(settings: TrainSettings) -> Plan:
    """Read and check everything that can be checked before a network is loaded.

    Raises:
        BadSetting: with all problems of the settings together.
    """
    # an unknown task is told together with all else that is wrong
    task = tasks.get(settings.task) if settings.task in tasks.names() else None
    return prepare_texts(settings, task) if isinstance(task, TextTask) else TaggingPlan(prepare(settings))
