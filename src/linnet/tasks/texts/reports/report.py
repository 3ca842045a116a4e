"""What does a training run about texts tell its reader, on one page of Markdown?"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.documents.texts import Judged, Plain
from linnet.reports.cells import first_words
from linnet.reports.confusion import count_confusion
from linnet.reports.markdown import class_section, count_text, escape, history_section, markdown_table, percent
from linnet.reports.plots import Row
from linnet.storage.files import new_file
from linnet.tasks.texts.reports.facts import TextFacts, figure_text, interval_text, plain_text
from linnet.tasks.texts.reports.mistakes import error_of, wrong

__all__ = ["label_section", "score_table", "text_headline", "write_text_report"]

N_EXAMPLES = 3  # of each pair of labels
MOST_PAIRS = 20
MOST_SHOWN = 15  # answers, or errors of numbers
MOST_TEXT = 240  # characters of an example
CHOSEN_BY = {"classes": "one label", "labels": "any number of labels", "number": "a number", "spans": "answers"}


def write_text_report(
    path: Path, *, facts: TextFacts, split: str, judged: Sequence[Judged], history: Sequence[Row]
) -> None:
    """Write `report.md`: scores, labels, mistakes with examples, and the course of the training.

    Args:
        path: the file; `training.png` and, for classes and numbers, `predictions.png` are shown from beside it.
        facts: what was trained.
        split: what the scores were counted on.
        judged: all examples of the split.
        history: as for `plot_training`.
    """
    sections = [
        f"# {escape(f'{facts.encoder} on {facts.corpus}, {split}')}",
        text_headline(facts, split),
        "\n".join(f"- {escape(name)}: {escape(value)}" for name, value in _details(facts, split).items()),
        "## Scores",
        score_table(facts, split),
        *label_section(facts, split, title="## Labels"),
        *_confusion_section(facts, judged),
        *_training_classes(facts),
        *_mistake_sections(facts, judged),
        "## Course of the training",
        *history_section(history, score=f"devel {facts.title(facts.metric)}", is_share=facts.has_shares),
    ]
    with new_file(path) as file:
        file.write("\n\n".join(section for section in sections if section) + "\n")


def text_headline(facts: TextFacts, split: str) -> str:
    """Return the main score with its interval, and what it was counted on, in one sentence."""
    figure = facts.figures_by_split.get(split, {}).get(facts.metric)
    if figure is None:
        return "The model was not scored."
    title = facts.title(facts.metric)
    interval = interval_text(figure, facts.kind)
    around = f" (95 % interval {interval})" if interval else ""
    return (
        f"**{escape(title[:1].upper() + title[1:])} {figure_text(figure, facts.kind)}**{around}, "
        f"on {figure['n']:,} {figure.get('unit') or 'examples'} of the {escape(split)} split."
    )


def score_table(facts: TextFacts, split: str) -> str:
    """Return all scores of a split with their intervals, the main one first."""
    figures = facts.figures_by_split.get(split, {})
    names = sorted(figures, key=lambda name: name != facts.metric)
    rows = [
        (
            escape(facts.title(name)),
            figure_text(figures[name], facts.kind),
            interval_text(figures[name], facts.kind),
            f"{figures[name]['n']:,}",
            str(figures[name].get("unit") or "examples"),
        )
        for name in names
    ]
    return markdown_table(("score", "value", "95 % interval", "n", "counted over"), rows) if rows else ""


def label_section(facts: TextFacts, split: str, *, title: str) -> Iterator[str]:
    """Yield precision, recall, F1 and counts of each label, and its threshold where it has one."""
    blocks = facts.labels_by_split.get(split, {})
    if not blocks:
        return
    thresholds = facts.thresholds
    rows = [
        (
            escape(label),
            *(percent(block[key]) for key in ("precision", "recall", "f1")),
            *(count_text(block[key]) for key in ("gold", "predicted", "correct")),
            *([f"{thresholds[label]:.3g}" if label in thresholds else ""] if thresholds else []),
        )
        for label, block in blocks.items()
    ]
    yield title
    header = ("label", "precision", "recall", "F1", "gold", "predicted", "right")
    yield markdown_table((*header, "threshold") if thresholds else header, rows)


def _details(facts: TextFacts, split: str) -> dict[str, str]:
    return {
        "task": f"{facts.task} ({facts.task_description})",
        "answer": CHOSEN_BY.get(facts.kind, facts.kind),
        "split": split,
        "scheme": facts.scheme,
        "loss": facts.loss,
    }


def _confusion_section(facts: TextFacts, judged: Sequence[Judged]) -> Iterator[str]:
    if facts.kind == "number":
        yield "## Gold and predicted numbers"
        yield "![predictions](predictions.png)"
    if facts.kind != "classes":
        return
    known = [each for each in judged if each.gold is not None]
    table = count_confusion([str(each.gold) for each in known], [str(each.predicted) for each in known], facts.labels)
    yield "## Confusion"
    yield "![predictions](predictions.png)"
    yield "Rows are gold labels, columns predicted ones."
    names = [escape(label) for label in table.labels]
    rows = [(name, *(f"{n:,}" if n else "·" for n in row)) for name, row in zip(names, table.counts, strict=True)]
    yield markdown_table(("gold", *names), rows)
    if len(names) < table.n_labels:
        yield (
            f"Shown are the {len(names)} most frequent of {table.n_labels:,} labels; {table.n_left_out:,} examples "
            "have another gold or predicted label."
        )


def _training_classes(facts: TextFacts) -> Iterator[str]:
    if facts.counts:
        yield "## Labels of the training split"
        yield from class_section(facts.counts, facts.weights, name="label")


def _mistake_sections(facts: TextFacts, judged: Sequence[Judged]) -> Iterator[str]:
    mistakes = wrong(judged, facts.kind)
    n_known = sum(each.gold is not None for each in judged)
    if facts.kind == "number":
        yield "## Largest errors"
        yield f"The largest of {n_known:,} errors; `mistakes.tsv` has them all."
        yield _error_table(mistakes[:MOST_SHOWN])
        return
    yield "## Mistakes"
    what = "questions" if facts.kind == "spans" else "examples"
    yield f"{len(mistakes):,} of {n_known:,} {what} are wrong; `mistakes.tsv` has them all."
    if facts.kind == "spans":
        yield "\n".join(_answer_example(each) for each in mistakes[:MOST_SHOWN])
    else:
        yield from _pair_sections(mistakes)


def _error_table(mistakes: Sequence[Judged]) -> str:
    rows = [
        (
            escape(each.id),
            plain_text(each.gold),
            plain_text(each.predicted),
            f"{error_of(each):+.4g}",
            _shortened(each.text),
        )
        for each in mistakes
    ]
    return markdown_table(("id", "gold", "predicted", "error", "text"), rows) if rows else ""


def _answer_example(judged: Judged) -> str:
    given = f"“{escape(plain_text(judged.predicted))}”" if judged.predicted else "no answer"
    gold = f"“{escape(plain_text(judged.gold))}”" if judged.gold else "no answer"
    score = "" if judged.score is None else f" {judged.score:.3f}"
    question = judged.text.partition("\n")[0]
    return f"- {escape(judged.id)}: {_shortened(question)} (gold: {gold}, predicted: {given}{score})"


def _pair_sections(mistakes: Sequence[Judged]) -> Iterator[str]:
    by_pair: dict[tuple[str, str], list[Judged]] = {}
    for each in mistakes:
        by_pair.setdefault((_named(each.gold), _named(each.predicted)), []).append(each)
    ranked = sorted(by_pair.items(), key=lambda item: (-len(item[1]), item[0]))
    if not ranked:
        return
    rows = [(gold, predicted, f"{len(found):,}") for (gold, predicted), found in ranked[:MOST_PAIRS]]
    yield markdown_table(("gold", "predicted", "examples"), rows)
    if len(ranked) > MOST_PAIRS:
        n_others = sum(len(found) for _, found in ranked[MOST_PAIRS:])
        yield f"{n_others:,} more mistakes are of {len(ranked) - MOST_PAIRS:,} rarer pairs."
    for (gold, predicted), found in ranked[:MOST_PAIRS]:
        yield f"### {gold} → {predicted}"
        yield "\n".join(_example(each) for each in found[:N_EXAMPLES])


def _named(value: Plain | None) -> str:
    return escape(plain_text(value)) or "(none)"


def _example(judged: Judged) -> str:
    score = "" if judged.score is None else f" ({judged.score:.3f})"
    return f"- {escape(judged.id)}: {_shortened(judged.text)}{score}"


def _shortened(text: str) -> str:
    return escape(first_words(" / ".join(text.splitlines()), MOST_TEXT))
