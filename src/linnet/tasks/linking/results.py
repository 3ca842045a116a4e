"""Fills the run folder of a linker: `linker.json`, scores, predictions, mistakes, report and card."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.concepts import concepts_of
from linnet.documents.document import Document
from linnet.models.model_folder import ModelFacts, write_facts
from linnet.reports.plots import plot_training
from linnet.storage.files import new_file
from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation, evaluate_documents
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.reports.buckets import count_buckets, write_mistakes
from linnet.tasks.linking.reports.report import RunFacts, write_linking_card, write_linking_report
from linnet.tasks.linking.training.fitting import Choice, fit_ranker
from linnet.tasks.linking.training.meaning import Meaning
from linnet.tasks.linking.training.meaning_recall import TrainedEncoder
from linnet.tasks.linking.training.prepared import PreparedLinking
from linnet.tasks.linking.training.ranker import TrainedRanker, write_ranker
from linnet.tasks.linking.training.searched import Searched
from linnet.training.history import DEVEL_SCORE
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
)

__all__ = ["finish_linking"]

PACKAGES = ("numpy", "scipy")
CONFIG = {"model_type": "linnet-linker"}
BOTH = "train_dev"


def finish_linking(
    output: Path, prepared: PreparedLinking, searched: Mapping[str, Sequence[Searched]], meaning: Meaning | None,
    *, trained: TrainedEncoder | None = None,
) -> None:  # fmt: skip
    """Learn, evaluate on devel and test, and write everything; `linnet.json` comes last.

    Args:
        output: the run folder.
        prepared: corpus and vocabulary.
        searched: train and devel with the candidates of their mentions.
        meaning: compares mentions and names by meaning, too.
        trained: how the encoder of `meaning` was trained.
    """
    begin = time.monotonic()
    settings, linker = prepared.settings, Linker(prepared.vocabulary)
    ranker, choices = fit_ranker(
        linker, searched["train"], searched["devel"],
        penalty=settings.penalty, without=settings.without, meaning=meaning,
    )  # fmt: skip
    evaluations = {"devel": _evaluate(ranker, prepared, "devel")}
    if settings.train_on == BOTH:
        ranker, _ = fit_ranker(
            linker, searched["train"], searched["devel"],
            penalty=_best(choices), without=settings.without, with_devel=True, meaning=meaning,
        )  # fmt: skip
    if "test" in prepared.documents:
        evaluations = {"test": _evaluate(ranker, prepared, "test"), **evaluations}
    seconds = time.monotonic() - begin
    write_ranker(output, ranker)
    with new_file(output / "config.json") as file:
        json.dump(CONFIG, file)
    rows = trained.history.rows(DEVEL_SCORE) if trained else []
    rows += [{"penalty": each.penalty, "devel_recall": each.recall} for each in choices]
    write_history(output / HISTORY, rows)
    for name, evaluation in evaluations.items():
        evaluation.write_predictions(output / f"predictions-{name}.jsonl")
    _write_reports(output, prepared, ranker, choices, evaluations, trained)
    write_json(output / METRICS, _metrics(prepared, evaluations, seconds, trained))
    write_facts(output, _facts(prepared))
    remove_checkpoints(output)


def _evaluate(ranker: TrainedRanker, prepared: PreparedLinking, split: str) -> LinkingEvaluation:
    linker = Linker(prepared.vocabulary, ranker=ranker)
    seen = (set(ranker.learned.by_form), set(ranker.learned.by_identifier))
    return evaluate_documents(linker, prepared.documents[split], where=prepared.settings.data, seen=seen, split=split)


def _best(choices: list[Choice]) -> float:
    return max(choices, key=lambda choice: (choice.recall, choice.penalty)).penalty


def _metrics(
    prepared: PreparedLinking, evaluations: Mapping[str, LinkingEvaluation], seconds: float,
    trained: TrainedEncoder | None,
) -> dict[str, Any]:  # fmt: skip
    main = next(name for name in MAIN_SPLITS if name in evaluations)
    found = {
        **evaluations[main].as_dict(),
        "split": main,
        "best_epoch": trained.history.best_epoch if trained else None,
        "mistakes": count_buckets(evaluations[main].documents),
        "warnings": [
            *prepared.notes,
            *(f"{name}: {each}" for name in evaluations for each in evaluations[name].warnings),
        ],
        "corpus_warnings": [],
        "hints": trained.hints if trained else [],
        "seconds": seconds,
        "tokens_per_second": None,
        **({"meaning": trained.as_dict()} if trained else {}),
    }
    return found | ({"devel": evaluations["devel"].as_dict()} if main == "test" else {})


def _write_reports(
    output: Path, prepared: PreparedLinking, ranker: TrainedRanker, choices: list[Choice],
    evaluations: Mapping[str, LinkingEvaluation], trained: TrainedEncoder | None,
) -> None:  # fmt: skip
    settings, vocabulary = prepared.settings, prepared.vocabulary
    facts = RunFacts(
        name=output.name,
        corpus=prepared.corpus.name,
        label=settings.label,
        vocabulary=settings.vocabulary,
        vocabulary_hash=vocabulary.hash,
        learned_from="train and devel (devel scores are of a linker that learned from train)"
        if settings.train_on == BOTH
        else "train",
        n_forms=len(ranker.learned.by_form),
        penalty=_best(choices),
        min_score=ranker.min_score,
        choices=[(each.penalty, each.recall) for each in choices],
        weights=ranker.weights,
        counts_by_split={name: _count(documents) for name, documents in prepared.documents.items()},
        fingerprints=_fingerprints(prepared),
        versions=versions(*PACKAGES),
        command=repeat_command(output, settings),
        data=data_note(settings),
        encoder=settings.meaning,
        trained=trained,
    )
    if trained:
        score = "recall@1 by meaning alone"
        plot_training(trained.history.rows(), output / "training.png", title=output.name, score=score)
    main = next(iter(evaluations))
    write_mistakes(output / "mistakes.tsv", evaluations[main].documents)
    write_linking_report(output / "report.md", facts, evaluations)
    write_linking_card(output / "README.md", facts, evaluations)


def _count(documents: Any) -> dict[str, int]:
    listed: list[Document] = list(documents)
    spans = [span for document in listed for span in document.spans]
    return {
        "documents": len(listed),
        "mentions": len(spans),
        "identifiers": len({each for span in spans for each in concepts_of(span)}),
    }


def _fingerprints(prepared: PreparedLinking) -> dict[str, str]:
    return {name: split.fingerprint for name, split in prepared.corpus.splits.items()}


def _facts(prepared: PreparedLinking) -> ModelFacts:
    settings = prepared.settings
    return ModelFacts(
        task="linking",
        tagging="",
        tags=(),
        max_length=1,
        decoding="",
        seed=settings.seed,
        corpus=prepared.corpus.name,
        fingerprints=_fingerprints(prepared),
        versions=versions(*PACKAGES),
        text={"label": settings.label, "vocabulary": prepared.vocabulary.hash},
    )
