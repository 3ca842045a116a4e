"""Writes the run folder of a finished tagger: model, scores, predictions and reports.

The model as Hugging Face keeps it, `linnet.json`, the resolved `recipe.toml`, `metrics.json`, `history.jsonl`,
`training.png`, `reliability.png`, `report.md`, `mistakes.tsv`, predictions for devel and test, and `README.md` (the
model card). `linnet.json` is written last: a folder that has it is complete.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from transformers import PreTrainedModel

from linnet.losses.crf import CrfLoss
from linnet.models.heads import mark_two_layer
from linnet.models.model_folder import ModelFacts, write_facts
from linnet.models.torch_engine import TRANSITIONS, TorchEngine
from linnet.reports.card_sections import training_details
from linnet.reports.corpus_warnings import SeenSplit, warn_of_splits
from linnet.reports.hints import NOTHING_RIGHT, nothing_right_hint, training_hints
from linnet.reports.mistakes import find_mistakes, write_mistakes
from linnet.reports.plots import plot_training
from linnet.reports.reliability import threshold_section
from linnet.settings.differences import changed_settings
from linnet.tasks.ner.confidence.calibrating import calibrate, describe_calibration, fit_to, reliability_of
from linnet.tasks.ner.decoding import Decoder
from linnet.tasks.ner.evaluation import Evaluation, evaluate_examples, write_predictions
from linnet.tasks.ner.examples import Examples
from linnet.tasks.ner.heads import untaken_heads, with_one_head, write_heads
from linnet.tasks.ner.learned_head import unused_head
from linnet.tasks.ner.predictor import Predictor
from linnet.tasks.ner.prepared import PreparedTraining, TrainingCorpus
from linnet.tasks.ner.reports.card import CardFacts, write_card
from linnet.tasks.ner.reports.confidence import write_confidence
from linnet.tasks.ner.reports.report import write_run_report
from linnet.tasks.ner.reports.sources import describe_samples, describe_sources, summarise_sources
from linnet.training.history import DEVEL_F1, History
from linnet.training.network import NetworkWithLosses, merge_adapters
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
from linnet.training.updates.trained_embeddings import restore_embeddings

__all__ = ["finish_run", "predictor_of"]


def predictor_of(prepared: PreparedTraining, model: NetworkWithLosses) -> Predictor:
    """Return a predictor over the network as it is now."""
    transitions = None
    if isinstance(model.loss, CrfLoss):
        state = model.loss.field.state_dict()
        transitions = {name: state[name].detach().cpu().numpy() for name in ("start", "transitions", "end")}
    decoder = Decoder(
        label_set=prepared.label_set, tagging=prepared.settings.tagging, transitions=transitions, has_marginals=True
    )
    same = prepared.settings.same_abbreviations
    return Predictor(TorchEngine(model.network), prepared.word_encoder, decoder, same_abbreviations=same)


def finish_run(output: Path, prepared: PreparedTraining, model: NetworkWithLosses, history: History) -> None:
    """Evaluate on devel and test, write everything, and remove the checkpoints."""
    model.network = merge_adapters(model.network)
    restore_embeddings(model.network)
    heads = with_one_head(model.network)
    predictor, shared = predictor_of(prepared, model), prepared.shared_labels
    raw = {
        name: evaluate_examples(predictor, rows, shared=shared) for name, rows in prepared.scored.items() if rows.rows
    }
    calibration = fit_to(raw["devel"].examples.gold, raw["devel"].predicted) if "devel" in raw else None
    evaluations = {name: replace(each, predicted=calibrate(each.predicted, calibration)) for name, each in raw.items()}
    before = {name: reliability_of(each.examples.gold, each.predicted) for name, each in raw.items()}
    confidence = describe_calibration(calibration, before)
    write_model(output, lambda part: _save(part, prepared, model))
    if prepared.settings.keep_heads:
        write_heads(output, heads, _tags_by_head(prepared), model.fields)
    write_history(output / HISTORY, history.rows(DEVEL_F1))
    for name, evaluation in evaluations.items():
        write_predictions(output / f"predictions-{name}.tsv", evaluation)
    _write_reports(output, prepared, evaluations, history, confidence)
    _write_metrics(output / METRICS, prepared, evaluations, history, confidence)
    facts = _facts(prepared, is_crf=isinstance(model.loss, CrfLoss))
    write_facts(output, facts if calibration is None else replace(facts, calibration=calibration.as_dict()))
    remove_checkpoints(output)


def _save(part: Path, prepared: PreparedTraining, model: NetworkWithLosses) -> None:
    network: Any = model.network
    assert isinstance(network, PreTrainedModel)
    network.save_pretrained(part)
    if prepared.settings.head == "two-layer":
        mark_two_layer(part)
    prepared.encoder.tokenizer.save_pretrained(part)
    if isinstance(model.loss, CrfLoss):
        state = model.loss.field.state_dict()
        learned = {name: state[name].detach().cpu().contiguous() for name in ("start", "transitions", "end")}
        save_file(learned, part / TRANSITIONS)


def _warnings(prepared: PreparedTraining, evaluations: dict[str, Evaluation], history: History) -> Iterator[str]:
    """Yield what the user should know: of learning, weights, kept heads, mentions that tags cannot hold, and labels."""
    if history.best_score == 0:
        yield NOTHING_RIGHT
    yield from prepared.encoder.sentences()
    yield from unused_head(prepared.encoder, prepared.label_set, prepared.settings.head)
    yield from untaken_heads(prepared.encoder, _tags_by_head(prepared), prepared.settings.head)
    for corpus in prepared.corpora:
        where = f"{corpus.name}: " if len(prepared.corpora) > 1 else ""
        yield from (f"{where}{warning}" for warning in corpus.weighting.warnings)
        splits = {"train": corpus.training, **(prepared.scored if corpus is prepared.target else {})}
        yield from (f"{where}{name}: {note}" for name, rows in splits.items() for note in rows.notes.sentences())
    if prepared.soft is not None:
        yield from (f"distill.texts: {note}" for note in prepared.soft.texts.notes.sentences())
    for name, evaluation in evaluations.items():
        if evaluation.shared is not None:
            yield from (f"{name}: {sentence}" for sentence in evaluation.shared.sentences())


def _corpus_warnings(prepared: PreparedTraining) -> list[str]:
    """Return what makes the scores too high or uncertain, counted on the sentences of this run."""
    learned = {
        "train" if corpus is prepared.target else f"train of {corpus.name}": corpus.training
        for corpus in prepared.corpora
    }
    splits = {**learned, **{name: rows for name, rows in prepared.scored.items() if rows.rows}}
    seen = {
        name: SeenSplit(
            [" ".join(row.words) for row in rows.rows],
            _mentions_by_label(rows),
            with_mentions={" ".join(row.words) for row in rows.rows if row.gold},
        )
        for name, rows in splits.items()
    }
    return warn_of_splits(seen)


def _hints(prepared: PreparedTraining, history: History) -> list[str]:
    settings = prepared.settings
    own = [nothing_right_hint(settings)] if history.best_score == 0 else []
    return [*own, *training_hints(history.rows(), _mentions_by_label(prepared.training), settings, unit="mentions")]


def _mentions_by_label(examples: Examples) -> Counter[str]:
    return Counter(mention.label for row in examples.rows for mention in row.gold)


def _tags_by_head(prepared: PreparedTraining) -> dict[str, tuple[str, ...]]:
    return {corpus.head: corpus.label_set.names for corpus in prepared.corpora}


def _write_metrics(
    path: Path,
    prepared: PreparedTraining,
    evaluations: dict[str, Evaluation],
    history: History,
    confidence: Mapping[str, Any],
) -> None:
    main = next((name for name in MAIN_SPLITS if name in evaluations), None)
    found: dict[str, Any] = evaluations[main].as_dict() if main else {"task": prepared.settings.task}
    found |= {
        "split": main,
        "best_epoch": history.best_epoch,
        "warnings": list(_warnings(prepared, evaluations, history)),
        "corpus_warnings": _corpus_warnings(prepared),
        "hints": _hints(prepared, history),
        "seconds": sum(row.seconds for row in history.epochs),
        "tokens_per_second": history.epochs[-1].tokens_per_second if history.epochs else None,
        "number_format": history.precision,
    }
    if main == "test" and "devel" in evaluations:
        found["devel"] = evaluations["devel"].as_dict()
    found["calibration"] = {**found.get("calibration", {}), **confidence}
    write_json(path, {**found, **describe_sources(prepared)})


def _write_reports(
    output: Path,
    prepared: PreparedTraining,
    evaluations: dict[str, Evaluation],
    history: History,
    confidence: Mapping[str, Any],
) -> None:
    main = next((name for name in MAIN_SPLITS if name in evaluations), None)
    facts = _card_facts(output, prepared, evaluations, history, confidence)
    rows = [{key: value for key, value in row.items() if value is not None} for row in history.rows()]
    title = f"{prepared.encoder.name} on {prepared.corpus.name}"
    plot_training(rows, output / "training.png", title=title)
    if main is not None:
        sentences = evaluations[main].sentences
        mistakes = find_mistakes(sentences)
        write_mistakes(mistakes, output / "mistakes.tsv")
        write_run_report(
            output / "report.md",
            title=f"{title}, {main}",
            scores=evaluations[main].scores.as_dict(),
            counts=prepared.weighting.counts,
            weights=prepared.weighting.weights,
            sentences=sentences,
            mistakes=mistakes,
            history=rows,
            warnings=_corpus_warnings(prepared),
            hints=_hints(prepared, history),
            confidence=[
                *write_confidence(output, evaluations[main], confidence, title=f"{title}, {main}"),
                *(threshold_section(evaluations["devel"].thresholds, split="devel") if "devel" in evaluations else ()),
            ],
            command=facts.command,
            details={"split": main, "scheme": facts.scheme, "loss": facts.loss, **training_details(facts)},
        )
    write_card(output / "README.md", facts)


def _loss_name(corpus: TrainingCorpus) -> str:
    """Return what a corpus was learned with: its own loss, or what partial labels make of it."""
    return "marginal" if corpus.unannotated else corpus.loss.name


def _facts(prepared: PreparedTraining, *, is_crf: bool) -> ModelFacts:
    settings = prepared.settings
    return ModelFacts(
        task=settings.task,
        tagging=settings.tagging,
        tags=prepared.label_set.names,
        max_length=settings.window.max_length,
        overlap=settings.window.overlap,
        head=settings.head,
        decoding="crf" if is_crf else "valid",
        confidence="marginals" if is_crf else "",
        same_abbreviations=settings.same_abbreviations,
        encoder=settings.encoder,
        loss=_loss_name(prepared.target),
        scheme=prepared.weighting.scheme,
        seed=settings.seed,
        corpus=prepared.corpus.name,
        encoder_source=prepared.encoder.origin,
        fingerprints=_fingerprints(prepared),
        versions=versions(),
    )


def _card_facts(
    output: Path,
    prepared: PreparedTraining,
    evaluations: dict[str, Evaluation],
    history: History,
    confidence: Mapping[str, Any],
) -> CardFacts:
    settings = prepared.settings
    splits = {"train": prepared.training, **prepared.scored}
    counts = {name: {"sentences": len(rows.rows), "mentions": rows.n_mentions} for name, rows in splits.items()}
    return CardFacts(
        name=output.name,
        encoder=settings.encoder,
        labels=prepared.label_set.labels,
        tagging=settings.tagging,
        corpus=prepared.corpus.name,
        fingerprints=_fingerprints(prepared),
        counts_by_split=counts,
        scheme=prepared.weighting.scheme,
        loss=_loss_name(prepared.target),
        weights=prepared.weighting.weights,
        seed=settings.seed,
        epochs=len(history.epochs),
        best_epoch=history.best_epoch,
        settings={
            **_flat(settings.optimiser.model_dump()),
            **_flat(settings.window.model_dump()),
            **summarise_sources(prepared),
        },
        scores_by_split={name: evaluation.scores.as_dict() for name, evaluation in evaluations.items()},
        versions=versions(),
        command=repeat_command(output, settings),
        data=data_note(settings),
        warnings=_corpus_warnings(prepared),
        head=settings.head,
        confidence=confidence,
        samples=describe_samples(prepared),
        number_format=history.precision,
        changed=changed_settings(settings),
    )


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _fingerprints(prepared: PreparedTraining) -> dict[str, str]:
    return {name: split.fingerprint for name, split in prepared.corpus.splits.items()}
