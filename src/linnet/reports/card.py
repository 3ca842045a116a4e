"""What must somebody know who is handed the model and nothing else?

The card is the `README.md` of a model folder, with the header that the Hugging Face hub reads.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.files import new_file
from linnet.reports.run_report import escape, headline, label_table, markdown_table, matching_table

__all__ = ["CardFacts", "write_card"]

MAIN_SPLITS = ("test", "devel")  # the first that was scored gives the card's own figure
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")  # organisation/model
HUB_LICENCES = frozenset(
    "apache-2.0 mit bsd-2-clause bsd-3-clause gpl-3.0 lgpl-3.0 agpl-3.0 mpl-2.0 cc0-1.0 cc-by-4.0 cc-by-sa-4.0 "
    "cc-by-nc-4.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-nc-nd-4.0 openrail unlicense other".split()
)


@dataclass(frozen=True)
class CardFacts:
    """What the card tells."""

    name: str
    encoder: str
    labels: Sequence[str]
    tagging: str
    corpus: str
    fingerprints: Mapping[str, str]  # digest by split
    counts_by_split: Mapping[str, Mapping[str, int]]  # sentences and mentions
    scheme: str
    loss: str
    weights: Mapping[str, float]  # by tag
    seed: int
    epochs: int
    best_epoch: int | None
    settings: Mapping[str, Any]  # flat; each has its own type
    scores_by_split: Mapping[str, Mapping[str, Any]]  # in the shape of `linnet score --json`
    versions: Mapping[str, str]
    command: str
    licence: str | None = None
    head: str = "linear"


def write_card(path: Path, facts: CardFacts) -> None:
    """Write the model card."""
    sections = [
        f"# {escape(facts.name)}",
        *_what_it_is(facts),
        *_how_to_use(facts),
        *_data(facts),
        *_training(facts),
        *_scores(facts),
        *_limits(facts),
        *_how_to_repeat(facts),
    ]
    with new_file(path) as file:
        file.write("\n".join(["---", *_front_matter(facts), "---", "", ""]) + "\n\n".join(sections) + "\n")


def _front_matter(facts: CardFacts) -> Iterator[str]:
    """Yield the lines of the YAML header; every text is quoted as JSON, which is YAML too."""
    yield from ("library_name: transformers", "pipeline_tag: token-classification", "language:", "- en")
    yield from _licence_lines(facts.licence)
    if HUB_NAME.fullmatch(facts.encoder) and not Path(facts.encoder).exists():
        yield f"base_model: {_quoted(facts.encoder)}"
    yield from ("tags:", "- linnet", "- named-entity-recognition", "metrics:", "- f1")
    yield from ("- precision", "- recall")
    split = _main_split(facts)
    if split is not None:
        yield from _model_index(facts, split)


def _licence_lines(licence: str | None) -> Iterator[str]:
    if licence is None:
        return
    if licence.lower() in HUB_LICENCES:
        yield f"license: {licence.lower()}"
    else:
        yield "license: other"
        yield f"license_name: {_quoted(licence)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _main_split(facts: CardFacts) -> str | None:
    return next((split for split in (*MAIN_SPLITS, *facts.scores_by_split) if split in facts.scores_by_split), None)


def _model_index(facts: CardFacts, split: str) -> Iterator[str]:
    micro = facts.scores_by_split[split]["strict"]["micro"]
    corpus, key = _quoted(facts.corpus), re.sub(r"[^\w.-]+", "-", facts.corpus)
    yield from ("model-index:", f"- name: {_quoted(facts.name)}", "  results:")
    yield from ("  - task:", "      type: token-classification", "      name: Named-entity recognition")
    yield from (
        "    dataset:",
        f"      type: {_quoted(key)}",
        f"      name: {corpus}",
        f"      split: {_quoted(split)}",
    )
    yield "    metrics:"
    for kind, name in (("f1", "Strict F1"), ("precision", "Strict precision"), ("recall", "Strict recall")):
        yield from (f"    - type: {kind}", f"      name: {name}", f"      value: {micro[kind]:.6f}")


def _what_it_is(facts: CardFacts) -> Iterator[str]:
    labels = ", ".join(f"**{escape(label)}**" for label in facts.labels)
    yield (
        f"Marks {labels} in English text. A token classifier ({escape(facts.tagging)} tags) on the encoder "
        f"`{facts.encoder}`, fine-tuned on {escape(facts.corpus)} with Linnet."
    )
    split = _main_split(facts)
    if split is not None:
        yield f"On the {escape(split)} split: {headline(facts.scores_by_split[split])}"


def _how_to_use(facts: CardFacts) -> Iterator[str]:
    folder = json.dumps(facts.name, ensure_ascii=False)
    yield "## How to use it"
    yield "With Linnet, which gives each mention with its characters and a score, in texts of any length:"
    yield f"```bash\nlinnet annotate texts.txt --model {_shell(facts.name)} --output annotated.jsonl\n```"
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


def _shell(text: str) -> str:
    return text if re.fullmatch(r"[\w./-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _difference(facts: CardFacts) -> str:
    reading = "what its CRF learned about neighbouring tags" if facts.loss == "crf" else "which tags may follow another"
    return (
        f"The two can differ in places: Linnet heeds {reading} and splits long texts into windows, while the plain "
        "pipeline takes the best tag of each word by itself and cuts off what the encoder cannot hold "
        "(give it `stride` to avoid that)."
    )


def _data(facts: CardFacts) -> Iterator[str]:
    yield "## Data"
    rows = [
        (
            escape(split),
            f"{counts.get('sentences', 0):,}",
            f"{counts.get('mentions', 0):,}",
            f"`{facts.fingerprints[split]}`" if split in facts.fingerprints else "",
        )
        for split, counts in facts.counts_by_split.items()
    ]
    yield f"{escape(facts.corpus)}. The fingerprint tells whether a copy of the data is the one that was used."
    yield markdown_table(("split", "sentences", "mentions", "fingerprint"), rows)


def _training(facts: CardFacts) -> Iterator[str]:
    yield "## Training"
    best = f", of which epoch {facts.best_epoch} was kept" if facts.best_epoch is not None else ""
    yield (
        f"{facts.epochs} epochs{best}; loss `{facts.loss}`, weighting scheme `{facts.scheme}`, seed {facts.seed}. "
        "`report.md` and `training.png` show how it went."
    )
    rows = [(escape(name), escape(str(value))) for name, value in facts.settings.items()]
    if rows:
        yield markdown_table(("setting", "value"), rows)
    if facts.weights:
        yield "What a mistake on each tag costs in the loss:"
        weights = [(escape(tag), f"{weight:.6g}") for tag, weight in facts.weights.items()]
        yield markdown_table(("tag", "weight"), weights)


def _scores(facts: CardFacts) -> Iterator[str]:
    yield "## Scores"
    if not facts.scores_by_split:
        yield "The model was not scored: its corpus has no split that was kept apart."
        return
    yield (
        "In per cent. Intervals are 95 % bootstrap intervals of F1 over the evaluated text for this one model; they do "
        "not say how far another seed would move the score."
    )
    for split, scores in facts.scores_by_split.items():
        yield f"### {escape(split)}: {scores['mentions']:,} mentions in {scores['sentences']:,} sentences"
        yield "Strict matching (label and both ends), by label:"
        yield label_table(scores["strict"])
        yield "Micro averages by every matching:"
        yield matching_table(scores)
    if "devel" in facts.scores_by_split and facts.best_epoch is not None:
        yield "The devel split had a part in making the model, at least by choosing the epoch: its scores are too good."


def _limits(facts: CardFacts) -> Iterator[str]:
    window = facts.settings.get("max_length")
    size = f"windows of {window} sub-words" if window is not None else "windows"
    points = [
        f"It marks only what {escape(facts.corpus)} annotates, as its annotators did: {_listed(facts.labels)}. "
        "Other kinds of names, nested mentions and mentions in several pieces are not found.",
        "The scores above hold for text like that of the corpus. Other languages, other kinds of text and names newer "
        "than the corpus can do much worse: score it on a sample of your own text first.",
        f"Long sentences are read in overlapping {size}; what lies further apart cannot influence each other.",
        "Words are tagged, not characters: the first sub-word of a word decides for all of it, so a mention cannot "
        "begin or end inside of a word.",
        "Scores of mentions are the network's own and are not calibrated probabilities.",
        "It is a research tool. Do not base clinical decisions on it.",
    ]
    yield "## Limits"
    yield "\n".join(f"- {point}" for point in points)


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(escape(label) for label in labels)


def _how_to_repeat(facts: CardFacts) -> Iterator[str]:
    yield "## How to repeat it"
    yield f"```bash\n{facts.command}\n```"
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    yield escape(f"Seed {facts.seed}; versions: {versions}." if versions else f"Seed {facts.seed}.")
    licence = escape(facts.licence) if facts.licence else "none has been chosen; ask before you pass the model on"
    yield f"Licence: {licence}. The encoder and the corpus have licences of their own, which may bind you too."
