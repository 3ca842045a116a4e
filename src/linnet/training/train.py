"""Trains a model from its settings and fills its run folder; the only place that sets seeds.

Heavy imports stand inside the functions: a task without a network is trained without torch.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.contracts import Folds, has_network, tasks
from linnet.extras import explain_missing_extras
from linnet.settings.short_forms import spread_corpora
from linnet.settings.training import TrainSettings
from linnet.training.options import load_training, with_alias
from linnet.training.run_folder import CHECKPOINTS, Run, claim_folder, is_finished, open_run, remove_checkpoints
from linnet.training.without_network import train_without_network

if TYPE_CHECKING:
    from linnet.training.job import Watcher

__all__ = ["train", "train_from"]

MARKER = "linnet.json"


def train(settings: TrainSettings, *, watcher: "Watcher", resume: bool = False, overwrite: bool = False) -> Run:
    """Train as the settings say and return the finished run.

    Args:
        settings: of the training.
        watcher: follows its progress.
        resume: continue an interrupted run with the same settings from its last checkpoint.
        overwrite: remove the content of the output folder.
    """
    if not has_network(tasks.get(settings.task), settings):
        return train_without_network(with_alias(settings), resume=resume, overwrite=overwrite)
    from linnet.training.processes import from_main_process, join_processes

    settings = with_alias(settings)
    output = Path(settings.output)
    join_processes()
    sources = (settings.encoder, settings.data, *(corpus.data for corpus in settings.corpora))
    if from_main_process(lambda: is_finished(settings, output, MARKER, sources, resume=resume, overwrite=overwrite)):
        remove_checkpoints(output)  # left by a run that was killed just before its end
        return open_run(output)
    task = tasks.get(settings.task)
    folds = task.folds(settings)
    if folds is not None:
        return _train_folds(folds, settings, watcher, overwrite=overwrite)
    return _train_network(settings, watcher, overwrite=overwrite)


def _train_network(settings: TrainSettings, watcher: "Watcher", *, overwrite: bool) -> Run:
    import torch

    from linnet.training.history import History
    from linnet.training.job import telling_preparation
    from linnet.training.processes import from_main_process
    from linnet.training.trainer import fit

    output = Path(settings.output)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    with telling_preparation(watcher):
        plan = tasks.get(settings.task).plan(settings)
    torch.manual_seed(settings.seed)
    model = plan.build()
    with ExitStack() as stack:
        from_main_process(lambda: stack.enter_context(claim_folder(output, settings, overwrite=overwrite)))
        stages: list[History] = []
        for job in plan.jobs(model, output / CHECKPOINTS, watcher):
            stages.append(fit(job, History.join(stages)))
        history = History.join(stages)
        from_main_process(lambda: plan.finish(output, model, history))
    return open_run(output)


def train_from(
    recipe: str | Path | None = None, *, resume: bool = False, overwrite: bool = False, **settings: Any
) -> Run:
    """Train from a recipe, from settings by name, or both; `linnet.train` in Python.

    The settings are those of the command line and of recipes: `train_from(data="demo", output="runs/x", scheme="welt",
    epochs=3)`, or `train_from("recipe.toml", seed=2)`; `data="A+B", eval="A"` trains on two corpora.
    """
    path = Path(recipe) if recipe is not None else None
    if "corpora" not in settings:
        settings |= spread_corpora(settings.pop("data", None), settings.pop("eval", None), path)
    loaded = load_training(path, **settings)
    if not has_network(tasks.get(loaded.task), loaded):
        return train_without_network(loaded, resume=resume, overwrite=overwrite)
    with explain_missing_extras():
        from linnet.training.job import SilentWatcher

    return train(loaded, watcher=SilentWatcher(), resume=resume, overwrite=overwrite)


def _train_folds(folds: Folds, settings: TrainSettings, watcher: "Watcher", *, overwrite: bool) -> Run:
    """Cross-validation: train each fold as a run inside the output folder; finished folds are not trained again."""
    from linnet.training.job import NamedWatcher
    from linnet.training.processes import from_main_process

    for each in folds.settings_by_fold.values():
        tasks.get(each.task).plan(each)  # problems with any fold show before the first is trained
    output = Path(settings.output)
    with ExitStack() as stack:
        from_main_process(lambda: stack.enter_context(claim_folder(output, settings, overwrite=overwrite)))
        runs: dict[str, Run] = {}
        for fold, each in folds.settings_by_fold.items():
            if isinstance(watcher, NamedWatcher):
                watcher.rename(f"fold {fold}")
            runs[fold] = train(each, watcher=watcher, resume=True)
        from_main_process(lambda: folds.finish(runs))
    return open_run(output)
