"""Pretraining from settings to a run folder.

The folder holds the encoder with its head in the format of Hugging Face, `recipe.toml`, `schedule.json`,
`metrics.json`, `history.jsonl`, `training.png`, `README.md` (the card) and `pretraining.json`, which is written last: a
folder that has it is complete.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from linnet.errors import BadFile
from linnet.pretraining.learning.card import write_pretraining_card
from linnet.pretraining.learning.networks import InitialNetwork, save_network
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.plan import PretrainPlan, plan_pretraining
from linnet.pretraining.learning.schedule import Schedule, Scores, read_schedule, write_schedule
from linnet.pretraining.text.cleaned import TextWatcher
from linnet.reports.plots import plot_pretraining
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.settings.short_forms import spread_pretraining
from linnet.storage.json_keys import load_json
from linnet.training.history import History
from linnet.training.job import SilentWatcher, Watcher
from linnet.training.options import alias_name
from linnet.training.processes import from_main_process, is_main_process, join_processes
from linnet.training.run_folder import (
    CHECKPOINTS,
    HISTORY,
    METRICS,
    claim_folder,
    is_finished,
    remove_checkpoints,
    versions,
    write_history,
    write_json,
    write_model,
)
from linnet.training.trainer import fit

__all__ = ["PretrainRun", "open_pretraining", "pretrain", "pretrain_from"]

FACTS = "pretraining.json"


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
        settings: of the pretraining.
        watcher: is called with the progress of the training.
        text_watcher: is called with the progress of the text preparation.
        warn: is called with all warnings before the training begins; `metrics.json` has them too.
        resume: continue an interrupted run of the same settings.
        overwrite: remove the content of the output folder.
    """
    settings = settings.model_copy(update={"encoder": alias_name(settings.encoder)})
    output = Path(settings.output)
    join_processes()
    sources = _list_sources(settings)
    if from_main_process(lambda: is_finished(settings, output, FACTS, sources, resume=resume, overwrite=overwrite)):
        remove_checkpoints(output)  # left if a run was killed at its very end
        return open_pretraining(output)
    if settings.threads:
        torch.set_num_threads(settings.threads)
    plan = plan_pretraining(settings, text_watcher=text_watcher)
    earlier = from_main_process(lambda: None if overwrite else read_schedule(output, plan.fingerprint))
    model, initial = plan.build()
    if warn and is_main_process():
        warn([*plan.warnings, *initial.notes])
    schedule = earlier or plan.make_schedule(model)
    with ExitStack() as stack:
        from_main_process(lambda: stack.enter_context(claim_folder(output, settings, overwrite=overwrite)))
        from_main_process(lambda: write_schedule(output, schedule))
        history = fit(plan.make_job(model, schedule, output / CHECKPOINTS, watcher))
        from_main_process(lambda: _finish(output, plan, model, initial, _Outcome(schedule, history)))
    return open_pretraining(output)


def pretrain_from(
    recipe: str | Path | None = None, *, resume: bool = False, overwrite: bool = False, **settings: Any
) -> PretrainRun:
    """Pretrain from a recipe, from settings by name, or both; this is `linnet.pretrain` in Python.

    `pretrain_from("recipe.toml", seed=2)`, `pretrain_from(texts="abstracts/", output="runs/x", hours=2)`; `steps`,
    `tokens` and `hours` set the budget.
    """
    loaded = load_settings(
        PretrainSettings, Path(recipe) if recipe is not None else None, **spread_pretraining(settings)
    )
    return pretrain(loaded, watcher=SilentWatcher(), resume=resume, overwrite=overwrite)


def open_pretraining(folder: Path) -> PretrainRun:
    """Return a finished run."""
    try:
        metrics, facts = (load_json((folder / name).read_text(encoding="utf-8")) for name in (METRICS, FACTS))
        is_whole = isinstance(metrics, dict) and "perplexity" in metrics and "text" in facts
    except OSError as error:
        raise BadFile(
            f"{folder}: holds no finished pretraining ({error.strerror})", "pretrain it, or continue with `--resume`"
        ) from None
    except (ValueError, TypeError):
        is_whole = False
    if not is_whole:
        raise BadFile(f"{folder}: {METRICS} or {FACTS} is broken", "pretrain it again (`--overwrite`)")
    return PretrainRun(folder, metrics, facts)


@dataclass(frozen=True)
class _Outcome:
    """Schedule and history of a finished training."""

    schedule: Schedule
    history: History

    @property
    def n_tokens(self) -> int:
        return round(sum(row.tokens_per_second * row.seconds for row in self.history.epochs))

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.history.epochs)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of single updates and of evaluations; the first evaluation is before any update."""
        rows = self.history.rows("perplexity")
        rows.insert(len(self.history.steps), {"epoch": 0, "step": 0, "perplexity": self.schedule.before["perplexity"]})
        return [{key: value for key, value in row.items() if key != "stage"} for row in rows]


def _list_sources(settings: PretrainSettings) -> list[str]:
    """Return the paths and names that the run reads; `PATH:SPLIT` as a whole and as a path."""
    exclude = settings.cleaning.exclude
    named = [settings.encoder, settings.vocabulary.source, *settings.texts, *exclude]
    return [name for name in (*named, *(corpus.rpartition(":")[0] for corpus in exclude)) if name]


def _finish(
    output: Path, plan: PretrainPlan, model: LanguageNetwork, initial: InitialNetwork, outcome: _Outcome
) -> None:
    """Evaluate the trained network, write all files, and remove the checkpoints."""
    write_model(output, lambda part: _save(part, plan, initial))
    after = plan.evaluate(model).as_dict()
    metrics = _collect_metrics(plan, initial, outcome, after)
    write_history(output / HISTORY, outcome.rows())
    plot_pretraining(outcome.rows(), output / "training.png", title=f"{plan.settings.encoder}, pretraining")
    write_json(output / METRICS, metrics)
    facts = _collect_facts(plan, outcome)
    write_pretraining_card(output / "README.md", output.name, plan.settings, facts, metrics)
    write_json(output / FACTS, facts)
    remove_checkpoints(output)


def _save(part: Path, plan: PretrainPlan, initial: InitialNetwork) -> None:
    save_network(initial, part)
    plan.make_tokenizer(initial.network.config).save_pretrained(part)


def _collect_metrics(plan: PretrainPlan, initial: InitialNetwork, outcome: _Outcome, after: Scores) -> dict[str, Any]:
    before = outcome.schedule.before
    return {
        "perplexity": after["perplexity"],
        "perplexity_before": before["perplexity"],
        "held_out": {"before": before, "after": after},
        "steps": outcome.schedule.steps,
        "tokens": outcome.n_tokens,
        "passes": outcome.schedule.steps * plan.sequences_per_update / len(plan.text.training),
        "seconds": outcome.seconds,
        "tokens_per_second": outcome.n_tokens / outcome.seconds if outcome.seconds else None,
        "number_format": outcome.history.precision,
        "loss": outcome.history.epochs[-1].loss if outcome.history.epochs else None,
        "warnings": [*plan.warnings, *initial.notes],
    }


def _collect_facts(plan: PretrainPlan, outcome: _Outcome) -> dict[str, Any]:
    settings = plan.settings
    return {
        "encoder": settings.encoder,
        "fresh": settings.fresh,
        "family": plan.start.family,
        "text": plan.text.facts.as_dict(),
        "length": settings.length,
        "masking": settings.masking.model_dump(),
        "optimiser": settings.optimiser.model_dump(exclude_none=True),
        "schedule": outcome.schedule.as_dict(),
        "tokens": outcome.n_tokens,
        "seed": settings.seed,
        "versions": versions(),
    }
