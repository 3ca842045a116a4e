"""Writes the run folder of a finished model about texts: model, scores, predictions and reports.

The files are those of any run folder. The predictions for devel and test are JSON lines, one prediction on each line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.documents.texts import TextExample
from linnet.models.model_folder import ModelFacts, write_facts
from linnet.reports.corpus_warnings import SeenSplit, warn_of_splits
from linnet.reports.hints import training_hints
from linnet.reports.plots import plot_training
from linnet.settings.differences import changed_settings
from linnet.tasks.texts.evaluation import TextEvaluation, evaluate_text_examples, write_text_predictions
from linnet.tasks.texts.networks.network import TextNetwork, save_text_network, untaken_head
from linnet.tasks.texts.predictor import TextPredictor
from linnet.tasks.texts.reports.answers import texts_of
from linnet.tasks.texts.reports.card import write_text_card
from linnet.tasks.texts.reports.facts import TextFacts
from linnet.tasks.texts.reports.mistakes import write_text_mistakes
from linnet.tasks.texts.reports.report import write_text_report
from linnet.training.history import DEVEL_SCORE, History
from linnet.training.run_folder import (
    HISTORY,
    MAIN_SPLITS,
    METRICS,
    data_note,
    remove_checkpoints,
    repeat_command,
    versions,
    write_history,
    write_json,
    write_model,
)

if TYPE_CHECKING:
    from linnet.tasks.texts.plan import TextPlan
    from linnet.tasks.texts.settings import TextTrainSettings

__all__ = ["finish_text_run"]

Evaluations = dict[str, TextEvaluation]
TYPES = "token_type_ids"


def finish_text_run(
    output: Path, plan: "TextPlan", network: TextNetwork, predictor: TextPredictor, history: History
) -> None:
    """Evaluate on devel and test, write everything, and remove the checkpoints."""
    metric = plan.settings.selection.metric
    evaluations = {
        name: evaluate_text_examples(predictor, rows, metric=metric)
        for name, rows in plan.source.scored.items()
        if rows
    }
    write_model(output, lambda part: _save(part, plan, network))
    write_history(output / HISTORY, history.rows(DEVEL_SCORE))
    for name, evaluation in evaluations.items():
        write_text_predictions(output / f"predictions-{name}.jsonl", evaluation.predictions)
    _write_reports(output, plan, predictor, evaluations, history)
    write_json(output / METRICS, _metrics(plan, evaluations, history))
    write_facts(output, _model_facts(plan, predictor))
    remove_checkpoints(output)


def _save(part: Path, plan: "TextPlan", network: TextNetwork) -> None:
    save_text_network(network, part)
    tokenizer = plan.encoder.tokenizer
    (_with_types(tokenizer) if network.reads_types else tokenizer).save_pretrained(part)


def _with_types(tokenizer: Any) -> Any:  # its class differs by family
    """Return the tokenizer as one that gives the types of tokens; else transformers would score pairs without them."""
    if TYPES in tokenizer.model_input_names:
        return tokenizer
    found = copy(tokenizer)  # the encoder is shared by all trainings of the process
    found.model_input_names = [*tokenizer.model_input_names, TYPES]
    found.init_kwargs = {**tokenizer.init_kwargs, "model_input_names": found.model_input_names}  # what is written
    return found


def _main(evaluations: Evaluations) -> str | None:
    return next((name for name in MAIN_SPLITS if name in evaluations), None)


def _metrics(plan: "TextPlan", evaluations: Evaluations, history: History) -> dict[str, Any]:
    main = _main(evaluations)
    found: dict[str, Any] = evaluations[main].as_dict() if main else {"task": plan.task.name}
    found |= {
        "split": main,
        "best_epoch": history.best_epoch,
        "warnings": list(_warnings(plan, evaluations)),
        "corpus_warnings": _corpus_warnings(plan),
        "hints": _hints(plan, history),
        "seconds": sum(row.seconds for row in history.epochs),
        "tokens_per_second": history.epochs[-1].tokens_per_second if history.epochs else None,
        "number_format": history.precision,
    }
    if main == "test" and "devel" in evaluations:
        found["devel"] = evaluations["devel"].as_dict()
    return found


def _warnings(plan: "TextPlan", evaluations: Evaluations) -> Iterator[str]:
    for name, evaluation in evaluations.items():
        yield from (f"{name}: {warning}" for warning in evaluation.warnings)
    yield from untaken_head(plan.encoder, plan.shape, plan.source.labels)
    yield from plan.encoder.sentences()
    yield from plan.weighting.warnings
    yield from plan.source.notes.sentences()


def _corpus_warnings(plan: "TextPlan") -> list[str]:
    """Return what makes the scores too high or uncertain, counted on the texts of this run."""
    splits = {"train": plan.source.training, **{name: rows for name, rows in plan.source.scored.items() if rows}}
    seen = {
        name: SeenSplit([each.whole for each in rows], _examples_by_label(plan, rows)) for name, rows in splits.items()
    }
    return warn_of_splits(seen, unit="text", gold="texts")


def _hints(plan: "TextPlan", history: History) -> list[str]:
    counts = _examples_by_label(plan, plan.source.training)
    return training_hints(history.rows(), counts, plan.settings, unit="texts")


def _examples_by_label(plan: "TextPlan", examples: Iterable[TextExample]) -> Counter[str]:
    """Return how often each label is gold; nothing where there are no labels, as for numbers and answers."""
    if not plan.shape.kind.has_labels:
        return Counter()
    return Counter(label for each in examples for label in texts_of(each.gold))


def _write_reports(
    output: Path, plan: "TextPlan", predictor: TextPredictor, evaluations: Evaluations, history: History
) -> None:
    main = _main(evaluations)
    facts = _text_facts(output, plan, predictor, evaluations, history)
    rows = [{key: value for key, value in row.items() if value is not None} for row in history.rows()]
    title = f"{plan.encoder.name} on {plan.source.name}"
    score = f"devel {facts.titles.get(facts.metric, 'score')}"
    plot_training(rows, output / "training.png", title=title, score=score, is_share=plan.shape.kind.has_percentages)
    if main is not None:
        predictions = evaluations[main].predictions
        write_text_mistakes(output / "mistakes.tsv", predictions, plan.shape.kind)
        write_text_report(output / "report.md", facts=facts, split=main, predictions=predictions, history=rows)
        plan.shape.kind.plot(predictions, plan.source.labels, output / "predictions.png", title=f"{title}, {main}")
    write_text_card(output / "README.md", facts)


def _model_facts(plan: "TextPlan", predictor: TextPredictor) -> ModelFacts:
    settings, source = plan.settings, plan.source
    return ModelFacts(
        task=settings.task,
        tagging="",
        tags=source.labels,
        max_length=settings.window.max_length,
        overlap=settings.window.overlap,
        decoding="",
        encoder=settings.encoder,
        loss=settings.loss.name,
        scheme=plan.weighting.scheme,
        seed=settings.seed,
        corpus=source.name,
        encoder_source=plan.encoder.origin,
        fingerprints=source.fingerprints,
        versions=versions(),
        text={
            "shape": plan.shape.as_dict(),
            "settings": source.settings.model_dump(mode="json", exclude_none=True, exclude={"files"}),
            "thresholds": dict(predictor.output_facts.thresholds),
            "range": [source.scale.lowest, source.scale.highest],
        },
    )


def _samples(settings: "TextTrainSettings") -> dict[str, int]:
    """Return the settings of samples that were taken of splits."""
    wanted = {"train_sentences": settings.train_sentences, "devel_sentences": settings.devel_sentences}
    return {name: number for name, number in wanted.items() if number is not None}


def _text_facts(
    output: Path, plan: "TextPlan", predictor: TextPredictor, evaluations: Evaluations, history: History
) -> TextFacts:
    settings, source, shape = plan.settings, plan.source, plan.shape
    splits = {"train": source.training, **source.scored}
    optimiser = {key: value for key, value in settings.optimiser.model_dump().items() if value is not None}
    window = {key: value for key, value in settings.window.model_dump().items() if value is not None}
    first = next(iter(evaluations.values()), None)
    return TextFacts(
        name=output.name,
        task=plan.task.name,
        task_description=plan.task.description,
        needs_pairs=plan.task.needs_pairs,
        encoder=settings.encoder,
        kind=shape.kind,
        pooling=shape.pooling,
        windows=shape.windows,
        method=shape.method,
        labels=source.labels,
        corpus=source.name,
        fingerprints=source.fingerprints,
        counts_by_split={name: _count_examples(rows) for name, rows in splits.items()},
        scheme=plan.weighting.scheme,
        loss=shape.kind.loss_title(settings.loss.name),
        counts=plan.weighting.counts,
        weights=plan.weighting.weights,
        seed=settings.seed,
        epochs=len(history.epochs),
        best_epoch=history.best_epoch,
        settings={**optimiser, **window, **_samples(settings)},
        metric=first.metric if first else "",
        titles=first.titles if first else {},
        figures_by_split={name: each.figures for name, each in evaluations.items()},
        labels_by_split={name: each.labels for name, each in evaluations.items()},
        thresholds=predictor.output_facts.thresholds,
        versions=versions(),
        command=repeat_command(output, settings),
        data=data_note(settings),
        warnings=_corpus_warnings(plan),
        hints=_hints(plan, history),
        number_format=history.precision,
        changed=changed_settings(settings),
    )


def _count_examples(rows: Any) -> dict[str, int]:
    groups = len({each.group or each.id for each in rows})
    return {"examples": len(rows)} if groups == len(rows) else {"examples": len(rows), "groups": groups}
