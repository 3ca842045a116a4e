"""Training plan of a linker: no network, one fit, and a run folder like every other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from linnet.tasks.linking.settings import LinkingSettings
from linnet.tasks.linking.training.prepared import PreparedLinking

__all__ = ["LinkingPlan"]


@dataclass(frozen=True)
class LinkingPlan:
    """The training of a linker."""

    prepared: PreparedLinking

    @property
    def settings(self) -> LinkingSettings:
        """The settings of the training."""
        return self.prepared.settings

    def changed(self, settings: LinkingSettings, /) -> "LinkingPlan":
        """Return the same plan with other settings."""
        return LinkingPlan(replace(self.prepared, settings=settings))

    def build(self) -> None:
        """Return nothing: a linker has no network."""

    def jobs(self, model: None, folder: Path, watcher: object, /) -> Iterator[None]:
        """Yield nothing: there is no network to train in stages."""
        yield from ()

    def finish(self, output: Path, model: None, history: object, /) -> None:
        """Learn, evaluate and fill the run folder."""
        from linnet.tasks.linking.results import finish_linking

        finish_linking(output, self.prepared)
