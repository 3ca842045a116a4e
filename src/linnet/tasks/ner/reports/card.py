"""Writes the model card of a tagger.

The card is the `README.md` of a model folder, with the header that the Hugging Face hub reads.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.reports.card_sections import (
    DEVEL_IS_OPTIMISTIC,
    NOT_SCORED,
    Facts,
    data_section,
    join_labels,
    limits_section,
    main_split,
    model_index,
    origin_lines,
    quote_as_json,
    quote_for_shell,
    repeat_section,
    training_section,
    write_card_file,
)
from linnet.reports.markdown import escape
from linnet.reports.reliability import describe_confidence
from linnet.reports.tables import units_text
from linnet.tasks.ner.reports.report import headline, label_table, matching_table

__all__ = ["CardFacts", "write_card"]

TASK = ("token-classification", "Named-entity recognition")
MICRO_SCORES = (("f1", "Strict F1"), ("precision", "Strict precision"), ("recall", "Strict recall"))


@dataclass(frozen=True, kw_only=True)
class CardFacts(Facts):
    """What the model card needs to know."""

    labels: Sequence[str]
    tagging: str
    scores_by_split: Mapping[str, Mapping[str, Any]]  # in the shape of `linnet score --json`
    head: str = "linear"
    confidence: Mapping[str, Any] = field(default_factory=dict)  # how scores were calibrated, as `metrics.json` has it


def write_card(path: Path, facts: CardFacts) -> None:
    """Write the model card."""
    sections = [
        f"# {escape(facts.name)}",
        *_what_it_is(facts),
        *_how_to_use(facts),
        *data_section(facts, ("sentences", "mentions")),
        *training_section(facts, weighted="tag"),
        *_scores(facts),
        *_limits(facts),
        *repeat_section(facts),
    ]
    write_card_file(path, _front_matter(facts), sections)


def _front_matter(facts: CardFacts) -> Iterator[str]:
    library = "transformers" if facts.head == "linear" else "linnet"  # transformers has no two-layer head
    yield from (f"library_name: {library}", f"pipeline_tag: {TASK[0]}")
    yield from origin_lines(facts)
    yield from ("tags:", "- linnet", "- named-entity-recognition", "metrics:", "- f1")
    yield from ("- precision", "- recall")
    split = main_split(facts.scores_by_split)
    if split is not None:
        micro = facts.scores_by_split[split]["strict"]["micro"]
        metrics = [(kind, name, micro[kind]) for kind, name in MICRO_SCORES]
        yield from model_index(facts, split, task=TASK, metrics=metrics)


def _what_it_is(facts: CardFacts) -> Iterator[str]:
    labels = ", ".join(f"**{escape(label)}**" for label in facts.labels)
    yield (
        f"Marks {labels} in English text. A token classifier ({escape(facts.tagging)} tags) on the encoder "
        f"`{facts.encoder}`, fine-tuned on {escape(facts.corpus)} with Linnet."
    )
    split = main_split(facts.scores_by_split)
    if split is not None:
        yield f"On the {escape(split)} split: {headline(facts.scores_by_split[split])}"


def _how_to_use(facts: CardFacts) -> Iterator[str]:
    folder = quote_as_json(facts.name)
    yield "## How to use it"
    yield "With Linnet, which gives each mention with its characters and a score, in texts of any length:"
    yield f"```bash\nlinnet annotate texts.txt --model {quote_for_shell(facts.name)} --output annotated.jsonl\n```"
    yield (
        f"```python\nimport linnet\n\nmodel = linnet.load({folder})\nfor document in model.annotate([text]):\n"
        "    for span in document.spans:\n"
        "        print(span.label, document.text[span.start:span.end], span.score)\n```"
    )
    if facts.head != "linear":
        yield f"Its {facts.head} head is none that transformers knows, so this model opens with Linnet only."
        return
    yield "With transformers alone:"
    yield (
        f'```python\nfrom transformers import pipeline\n\ntagger = pipeline("token-classification", model={folder}, '
        'aggregation_strategy="first")\nprint(tagger(text))\n```'
    )
    yield _difference(facts)


def _difference(facts: CardFacts) -> str:
    reading = "what its CRF learned about neighbouring tags" if facts.loss == "crf" else "which tags may follow another"
    return (
        f"The two can differ in places: Linnet heeds {reading} and splits long texts into windows, while the plain "
        "pipeline takes the best tag of each word by itself and cuts off what the encoder cannot hold "
        "(give it `stride` to avoid that)."
    )


def _scores(facts: CardFacts) -> Iterator[str]:
    yield "## Scores"
    if not facts.scores_by_split:
        yield NOT_SCORED
        return
    yield (
        "In percent. Intervals are 95 % bootstrap intervals of F1 over the evaluated text for this one model; they do "
        "not say how far another seed would move the score. `-`: too few units have a mention for an interval, or "
        "gold has none."
    )
    for split, scores in facts.scores_by_split.items():
        size = f"{counted(scores['mentions'], 'mention')} in {counted(scores['sentences'], 'sentence')}"
        yield f"### {escape(split)}: {size}"
        if units_text(scores):
            yield f"Intervals over {units_text(scores)}."
        yield "Strict matching (label and both ends), by label:"
        yield label_table(scores["strict"])
        yield "Micro averages by every matching:"
        yield matching_table(scores)
    if "devel" in facts.scores_by_split and facts.best_epoch is not None:
        yield DEVEL_IS_OPTIMISTIC


def _limits(facts: CardFacts) -> Iterator[str]:
    window = facts.settings.get("max_length")
    size = f"windows of {window} sub-words" if window is not None else "windows"
    own = (
        f"It marks only what {escape(facts.corpus)} annotates, as its annotators did: {join_labels(facts.labels)}. "
        "Other kinds of names, nested mentions and mentions in several pieces are not found."
    )
    reading = (
        f"Long sentences are read in overlapping {size}; what lies further apart cannot influence each other.",
        "Words are tagged, not characters: the first sub-word of a word decides for all of it, so a mention cannot "
        "begin or end inside of a word.",
        _about_scores(facts),
    )
    yield from limits_section([own], reading)


def _about_scores(facts: CardFacts) -> str:
    how = describe_confidence(facts.confidence)
    if facts.confidence.get("method", "none") == "none":
        return f"Scores of mentions are the network's own and are {how}."
    alone = " Those that transformers alone gives are the network's own." if facts.head == "linear" else ""
    return f"Scores of mentions are {how}: read them as the probability of being right in text like the corpus.{alone}"
