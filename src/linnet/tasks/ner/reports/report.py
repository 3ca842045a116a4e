"""Writes the Markdown report of a training run for named-entity recognition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.reports.card_sections import command_section
from linnet.reports.corpus_warnings import warning_section
from linnet.reports.hints import hint_section
from linnet.reports.markdown import class_section, count_text, escape, history_section, markdown_table, percent
from linnet.reports.mistakes import MEANING_OF_KIND, Mistake, count_kinds
from linnet.reports.plots import Row
from linnet.reports.review import ReviewedSentence
from linnet.reports.tables import MEANING, interval_text, tag_rows, units_text
from linnet.storage.files import new_file

__all__ = [
    "headline",
    "label_table",
    "matching_table",
    "tag_table",
    "write_run_report",
]

INTERVAL = "95 % interval"
SCORE_COLUMNS = ("precision", "recall", "F1", INTERVAL, "support", "predicted", "right")
N_EXAMPLES = 5  # of each kind of mistake
CONTEXT = 80  # characters on each side of an example

Block = Mapping[str, Any]  # precision, recall, f1, gold, ... of one label or average, as `linnet score --json` has it


def write_run_report(  # noqa: PLR0913 — each is a section of the report
    path: Path,
    *,
    title: str,
    scores: Mapping[str, Any],
    counts: Mapping[str, int],
    weights: Mapping[str, float],
    sentences: Sequence[ReviewedSentence],
    mistakes: Sequence[Mistake],
    history: Sequence[Row],
    details: Mapping[str, str],
    warnings: Sequence[str] = (),
    hints: Sequence[str] = (),
    confidence: Sequence[str] = (),
    command: str = "",
) -> None:
    """Write `report.md`: scores, classes, mistakes with examples, and the course of the training.

    Args:
        path: the file.
        title: what was trained.
        scores: in the shape of `linnet score --json`.
        counts: how often each tag occurs in training.
        weights: of each tag.
        sentences: what the scores were counted on.
        mistakes: those found in these sentences.
        history: as for `plot_training`.
        details: small print by name: model, corpus, split and the like.
        warnings: about the corpus.
        hints: what to try next.
        confidence: the sections about calibration and thresholds.
        command: that trains the model again.
    """
    sections = [
        f"# {escape(title)}",
        headline(scores),
        "\n".join(f"- {escape(name)}: {escape(value)}" for name, value in details.items()),
        *warning_section(warnings),
        *hint_section(hints),
        *_score_sections(scores),
        *confidence,
        "## Classes of the training split",
        *class_section(counts, weights),
        "## Mistakes",
        *_mistake_sections(sentences, mistakes),
        "## Course of the training",
        *history_section(history),
        *command_section(command),
    ]
    with new_file(path) as file:
        file.write("\n\n".join(section for section in sections if section) + "\n")


def headline(scores: Mapping[str, Any]) -> str:
    """Return strict F1 with its interval, and what it was counted on, in one sentence."""
    micro = scores["strict"]["micro"]
    over = f" over {units_text(scores)}" if units_text(scores) else ""
    interval = f" (95 % interval {_interval(micro)}{over})" if _interval(micro) else ""
    return (
        f"**Strict F1 {percent(micro['f1'])}**{interval}, precision {percent(micro['precision'])}, "
        f"recall {percent(micro['recall'])}, on {counted(scores['mentions'], 'gold mention')} in "
        f"{counted(scores['sentences'], 'sentence')}. Strict: label and both ends must be right."
    )


def label_table(found: Mapping[str, Any]) -> str:
    """Return the scores of each label, and their averages, by one matching."""
    rows = [(escape(label), *_score_cells(block)) for label, block in found["labels"].items()]
    rows += [("micro average", *_score_cells(found["micro"])), ("macro average", *_score_cells(found["macro"]))]
    return markdown_table(("label", *SCORE_COLUMNS), rows)


def matching_table(scores: Mapping[str, Any]) -> str:
    """Return the micro averages by every matching, and what each counts as right."""
    names = [name for name, found in scores.items() if isinstance(found, Mapping) and "micro" in found]
    rows = [(escape(name), *_score_cells(scores[name]["micro"]), MEANING.get(name, "")) for name in names]
    return markdown_table(("matching", *SCORE_COLUMNS, "counts as right"), rows)


def tag_table(report: Mapping[str, Any]) -> str:
    """Return the word-level scores of each tag, and their averages with and without `O`."""
    header = ("tag", *(column for column in SCORE_COLUMNS if column != INTERVAL))
    rows = [(escape(name), *_percents(block), *_counts(block)) for name, block in tag_rows(report)]
    return markdown_table(header, rows)


def _interval(block: Block) -> str:
    return interval_text(block, is_resampled="units" in block)


def _score_cells(block: Block) -> list[str]:
    return [*_percents(block), _interval(block), *_counts(block)]


def _percents(block: Block) -> list[str]:
    return [percent(block[key]) for key in ("precision", "recall", "f1")]


def _counts(block: Block) -> list[str]:
    return [count_text(block[key]) for key in ("gold", "predicted", "correct")]


def _score_sections(scores: Mapping[str, Any]) -> Iterator[str]:
    yield "## Mentions, strict"
    yield label_table(scores["strict"])
    if "tokens" in scores:
        yield "## Tokens"
        yield "Each token by its label, begin and inside alike; tokens outside of mentions are not counted as right."
        yield label_table(scores["tokens"])
    if "tags" in scores:
        yield "## Tags, word by word"
        yield (
            "A word is right if it has the tag of the gold word, begin and inside apart. Averages with `O` count the "
            "words outside of mentions as well, which are most words and mostly right; averages without it do not."
        )
        yield tag_table(scores["tags"])
    yield "## All matchings"
    yield matching_table(scores)


def _mistake_sections(sentences: Sequence[ReviewedSentence], mistakes: Sequence[Mistake]) -> Iterator[str]:
    places = {(mistake.sentence.document, mistake.sentence.number) for mistake in mistakes}
    found = f"{counted(len(mistakes), 'mistake')} in {len(places):,} of {counted(len(sentences), 'sentence')}"
    yield f"{found}; `mistakes.tsv` has them all."
    numbers = count_kinds(mistakes)
    rows = [(kind, f"{numbers[kind]:,}", meaning) for kind, meaning in MEANING_OF_KIND.items()]
    yield markdown_table(("kind", "mistakes", "what it is"), rows)
    for kind in MEANING_OF_KIND:
        examples = [mistake for mistake in mistakes if mistake.kind == kind][:N_EXAMPLES]
        if examples:
            yield f"### {kind.capitalize()}"
            yield "\n".join(_example(mistake) for mistake in examples)


def _example(mistake: Mistake) -> str:
    """Return the place with the true mention in bold (the predicted one where there is no true one)."""
    sentence = mistake.sentence
    alone = replace(mistake, predicted=None) if mistake.gold else mistake
    left, right = alone.context(CONTEXT)
    verdict = ", ".join(_verdicts(mistake))
    text = f"{escape(left)}**{escape(''.join(alone.texts))}**{escape(right)}"
    return f"- {escape(sentence.document)}, sentence {sentence.number}: {text} ({verdict})"


def _verdicts(mistake: Mistake) -> Iterator[str]:
    gold, predicted = mistake.gold, mistake.predicted
    if gold:
        yield f"gold: {escape(gold.label)}"
    if predicted:
        text = "" if gold is None or mistake.kind == "label" else f" “{escape(mistake.texts[1])}”"
        score = "" if mistake.score is None else f" {mistake.score:.3f}"
        yield f"predicted: {escape(predicted.label)}{text}{score}"
