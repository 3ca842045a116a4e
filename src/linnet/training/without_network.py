"""Trains what needs no network, and no torch: the plan of the task does all of the work."""

from pathlib import Path

from linnet.contracts import tasks
from linnet.settings.training import TrainSettings
from linnet.training.run_folder import Run, claim_folder, is_finished, open_run

__all__ = ["train_without_network"]

MARKER = "linnet.json"


def train_without_network(settings: TrainSettings, *, resume: bool = False, overwrite: bool = False) -> Run:
    """Train as the settings say and return the finished run.

    Args:
        settings: of the training.
        resume: return a finished run with the same settings; an interrupted one begins again.
        overwrite: remove the content of the output folder.
    """
    output = Path(settings.output)
    sources = (settings.data, str(getattr(settings, "vocabulary", "")))
    named = tuple(source for source in sources if source)
    if is_finished(settings, output, MARKER, named, resume=resume, overwrite=overwrite):
        return open_run(output)
    plan = tasks.get(settings.task).plan(settings)
    with claim_folder(output, settings, overwrite=overwrite):
        plan.finish(output, None, None)
    return open_run(output)
