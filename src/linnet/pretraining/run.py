"""How do settings become a pretrained encoder in its run folder?

The folder holds the encoder with its head as Hugging Face keeps it, `recipe.toml`, `schedule.json`, `metrics.json`,
`history.jsonl`, `training.png`, `README.md` (the card) and `pretraining.json`, which is written last: a folder that has
it is complete.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from linnet.errors import BadFile
from linnet.pretraining.learning.card import write_pretraining_card
from linnet.pretraining.learning.networks import Started, save_network
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.plan import PretrainPlan, plan_pretraining
from linnet.pretraining.learning.schedule import Schedule, Scores, read_schedule, write_schedule
from linnet.pretraining.text.cleaned import TextWatcher
from linnet.reports.plots import plot_pretraining
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.settings.short_forms import spread_pretraining
from linnet.training.history import History
from linnet.training.job import SilentWatcher, Watcher
from linnet.training.options import alias_name
from linnet.training.processes import from_main_process, is_main_process, join_processes
from linnet.training.run_folder import (
    HISTORY,
    METRICS,
    claimed,
    is_finished,
    versions,
    write_history,
    write_json,
    write_model,
)
from linnet.training.trainer import fit

__all__ = ["PretrainRun", "open_pretraining", "pretrain", "pretrain_from"]

FACTS, CHECKPOINTS = "pretraining.json", "checkpoints"


@dataclass(frozen=True)
class PretrainRun:
    """A finished pretraining."""

    folder: Path
    metrics: dict[str, Any]
    facts: dict[str, Any]


def pretrain(
    settings: PretrainSettings,
    *,
    watcher: Watcher,
    text_watcher: TextWatcher | None = None,
    warn: Callable[[Sequence[str]], None] | None = None,
    resume: bool = False,
    overwrite: bool = False,
) -> PretrainRun:
    """Pretrain as the settings say and return the finished run.

    Args:
        settings: what to do.
        watcher: is told how the training goes.
        text_watcher: is told how far the preparation of the text is.
        warn: is told, before hours are spent, what the user should know; `metrics.json` has it too.
        resume: go on where an interrupted run of the same settings stopped.
        overwrite: remove what the output folder holds.
    """
    settings = settings.model_copy(update={"encoder": alias_name(settings.encoder)})
    output = Path(settings.output)
    join_processes()
    sources = _sources(settings)
    if from_main_process(lambda: is_finished(settings, output, FACTS, sources, resume=resume, overwrite=overwrite)):
        shutil.rmtree(output / CHECKPOINTS, ignore_errors=True)  # left where a run was killed in its last moment
        return open_pretraining(output)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    plan = plan_pretraining(settings, text_watcher=text_watcher)
    known = from_main_process(lambda: None if overwrite else read_schedule(output, plan.fingerprint))
    model, started = plan.build()
    if warn and is_main_process():
        warn([*plan.warnings, *started.notes])
    schedule = known or plan.schedule(model)
    with ExitStack() as stack:
        from_main_process(lambda: stack.enter_context(claimed(output, settings, overwrite=overwrite)))
        from_main_process(lambda: write_schedule(output, schedule))
        history = fit(plan.job(model, schedule, output / CHECKPOINTS, watcher))
        from_main_process(lambda: _finish(output, plan, model, started, _Told(schedule, history)))
    return open_pretraining(output)


def pretrain_from(
    recipe: str | Path | None = None, *, resume: bool = False, overwrite: bool = False, **settings: Any
) -> PretrainRun:
    """Pretrain from a recipe, from settings by name, or both; what `linnet.pretrain` is in Python.

    `pretrain_from("recipe.toml", seed=2)`, `pretrain_from(texts="abstracts/", output="runs/x", hours=2)`; `steps`,
    `tokens` and `hours` stand for the budget.
    """
    loaded = load_settings(
        PretrainSettings, Path(recipe) if recipe is not None else None, **spread_pretraining(settings)
    )
    return pretrain(loaded, watcher=SilentWatcher(), resume=resume, overwrite=overwrite)


def open_pretraining(folder: Path) -> PretrainRun:
    """Return a finished run."""
    try:
        metrics, facts = (json.loads((folder / name).read_text(encoding="utf-8")) for name in (METRICS, FACTS))
        is_whole = isinstance(metrics, dict) and "perplexity" in metrics and "text" in facts
    except OSError as error:
        raise BadFile(
            f"{folder}: holds no finished pretraining ({error.strerror})", "pretrain it, or go on with `--resume`"
        ) from None
    except (ValueError, TypeError):
        is_whole = False
    if not is_whole:
        raise BadFile(f"{folder}: {METRICS} or {FACTS} is broken", "pretrain it again (`--overwrite`)")
    return PretrainRun(folder, metrics, facts)


@dataclass(frozen=True)
class _Told:
    """What happened."""

    schedule: Schedule
    history: History

    @property
    def n_tokens(self) -> int:
        return round(sum(row.tokens_per_second * row.seconds for row in self.history.epochs))

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.history.epochs)

    def rows(self) -> list[dict[str, Any]]:
        """Return single steps, and stretches with their perplexity; the first is that before any update."""
        rows = self.history.rows("perplexity")
        rows.insert(len(self.history.steps), {"epoch": 0, "step": 0, "perplexity": self.schedule.before["perplexity"]})
        return [{key: value for key, value in row.items() if key != "stage"} for row in rows]


def _sources(settings: PretrainSettings) -> list[str]:
    """Return what the run reads; of `PATH:SPLIT`, both readings."""
    exclude = settings.cleaning.exclude
    named = [settings.encoder, settings.vocabulary.source, *settings.texts, *exclude]
    return [name for name in (*named, *(each.rpartition(":")[0] for each in exclude)) if name]


def _finish(output: Path, plan: PretrainPlan, model: LanguageNetwork, started: Started, told: _Told) -> None:
    """Measure once more, write everything, and remove the checkpoints."""
    write_model(output, lambda part: _save(part, plan, started))
    after = plan.judge(model).as_dict()
    metrics = _metrics(plan, started, told, after)
    write_history(output / HISTORY, told.rows())
    plot_pretraining(told.rows(), output / "training.png", title=f"{plan.settings.encoder}, pretraining")
    write_json(output / METRICS, metrics)
    facts = _facts(plan, told)
    write_pretraining_card(output / "README.md", output.name, plan.settings, facts, metrics)
    write_json(output / FACTS, facts)
    shutil.rmtree(output / CHECKPOINTS, ignore_errors=True)


def _save(part: Path, plan: PretrainPlan, started: Started) -> None:
    save_network(started, part)
    plan.tokenizer(started.network.config).save_pretrained(part)


def _metrics(plan: PretrainPlan, started: Started, told: _Told, after: Scores) -> dict[str, Any]:
    before = told.schedule.before
    return {
        "perplexity": after["perplexity"],
        "perplexity_before": before["perplexity"],
        "held_out": {"before": before, "after": after},
        "steps": told.schedule.steps,
        "tokens": told.n_tokens,
        "passes": told.schedule.steps * plan.sequences_per_update / len(plan.text.training),
        "seconds": told.seconds,
        "tokens_per_second": told.n_tokens / told.seconds if told.seconds else None,
        "loss": told.history.epochs[-1].loss if told.history.epochs else None,
        "warnings": [*plan.warnings, *started.notes],
    }


def _facts(plan: PretrainPlan, told: _Told) -> dict[str, Any]:
    settings = plan.settings
    return {
        "encoder": settings.encoder,
        "fresh": settings.fresh,
        "family": plan.start.family,
        "text": plan.text.facts.as_dict(),
        "length": settings.length,
        "masking": settings.masking.model_dump(),
        "optimiser": settings.optimiser.model_dump(exclude_none=True),
        "schedule": asdict(told.schedule),
        "tokens": told.n_tokens,
        "seed": settings.seed,
        "versions": versions(),
    }
