"""Sections of a model card that all tasks share, and its YAML header for the hub."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.reports.markdown import escape, markdown_table
from linnet.settings.differences import value_text
from linnet.storage.files import new_file

__all__ = [
    "DEVEL_IS_OPTIMISTIC",
    "NOT_SCORED",
    "Facts",
    "command_section",
    "data_section",
    "join_labels",
    "licence_lines",
    "limits_section",
    "main_split",
    "model_index",
    "number_format_text",
    "origin_lines",
    "quote_as_json",
    "quote_for_shell",
    "repeat_section",
    "training_details",
    "training_section",
    "write_card_file",
]

MAIN_SPLITS = ("test", "devel")  # the card shows the score of the first one that was scored
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")  # organisation/model
HUB_LICENCES = frozenset(
    "apache-2.0 mit bsd-2-clause bsd-3-clause gpl-3.0 lgpl-3.0 agpl-3.0 mpl-2.0 cc0-1.0 cc-by-4.0 cc-by-sa-4.0 "
    "cc-by-nc-4.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-nc-nd-4.0 openrail unlicense other".split()
)
DETAILED = {
    "task",
    "encoder",
    "epochs",
    "seed",
    "learning_rate",
    "scheme",
    "loss",
    "optimiser.precision",
}  # named in the report anyway
NOT_SCORED = "The model was not scored: its corpus has no held-out split."
DEVEL_IS_OPTIMISTIC = (
    "The devel split was used in training, at least to choose the epoch, so its scores are optimistic: expect lower "
    "ones on new texts."
)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The facts on the card of any model; each task adds its own."""

    name: str  # of the run folder
    encoder: str
    corpus: str
    fingerprints: Mapping[str, str]  # digest by split
    counts_by_split: Mapping[str, Mapping[str, int]]  # sentences, mentions or examples
    scheme: str
    loss: str
    weights: Mapping[str, float]  # class weights by tag or label
    seed: int
    epochs: int
    best_epoch: int | None
    settings: Mapping[str, Any]  # hyper-parameters by name; each has its own type
    versions: Mapping[str, str]
    command: str  # that repeats the training
    data: str = ""  # a sentence about the data that it reads
    licence: str | None = None
    warnings: Sequence[str] = ()  # about the corpus
    hints: Sequence[str] = ()  # what to try next; for the report
    samples: Sequence[str] = ()  # which splits are samples, and of how many
    number_format: str | None = None  # of the computations; None where nothing was trained
    changed: Mapping[str, Any] = field(default_factory=dict)  # settings that are not the default, by short name


def training_details(facts: Facts) -> dict[str, str]:
    """Return how the model was trained, by name, for the head of a report; with settings that are not the default."""
    best = "" if facts.best_epoch is None else f", the best is {facts.best_epoch}"
    rate = facts.settings.get("learning_rate")
    found = {"epochs": f"{facts.epochs}{best}", "seed": str(facts.seed)}
    found |= {} if rate is None else {"learning rate": f"{rate:g}"}
    number_format = number_format_text(facts.number_format, facts.settings.get("precision", ""))
    found |= {"number format": number_format} if number_format else {}
    return found | {name: value_text(value) for name, value in facts.changed.items() if name not in DETAILED}


def number_format_text(chosen: str | None, wanted: str) -> str:
    """Return the number format of a training, and whether a measurement chose it; empty where nothing was trained.

    >>> number_format_text("bfloat16", "auto"), number_format_text("float32", "float32")
    ('bfloat16, chosen by precision = auto', 'float32')
    """
    return f"{chosen or ''}{', chosen by precision = auto' if chosen and wanted == 'auto' else ''}"


def command_section(command: str) -> Iterator[str]:
    """Yield the command that trains a model again, as the end of a report."""
    if command:
        yield "## Train it again"
        yield f"```bash\n{command}\n```"


def write_card_file(path: Path, header: Iterable[str], sections: Iterable[str]) -> None:
    """Write a card with the lines of its YAML header, which the hub reads, and its sections."""
    with new_file(path) as file:
        file.write("\n".join(["---", *header, "---", "", ""]) + "\n\n".join(sections) + "\n")


def origin_lines(facts: Facts) -> Iterator[str]:
    """Yield language, licence and the encoder's name on the hub; texts are quoted as JSON, which is valid YAML."""
    yield from ("language:", "- en")
    yield from licence_lines(facts.licence)
    if HUB_NAME.fullmatch(facts.encoder) and not Path(facts.encoder).exists():
        yield f"base_model: {quote_as_json(facts.encoder)}"


def licence_lines(licence: str | None) -> Iterator[str]:
    """Yield the licence by its name on the hub; nothing if there is none."""
    if licence is None:
        return
    if licence.lower() in HUB_LICENCES:
        yield f"license: {licence.lower()}"
    else:
        yield "license: other"
        yield f"license_name: {quote_as_json(licence)}"


def quote_as_json(text: str) -> str:
    """Return the text as JSON, which YAML and Python read too."""
    return json.dumps(text, ensure_ascii=False)


def main_split(scored: Mapping[str, object]) -> str | None:
    """Return the split whose score the card shows; None if none was scored."""
    return next((split for split in (*MAIN_SPLITS, *scored) if split in scored), None)


def model_index(
    facts: Facts, split: str, *, task: tuple[str, str], metrics: Iterable[tuple[str, str, float]]
) -> Iterator[str]:
    """Yield the YAML lines that the hub shows as evaluation results.

    Args:
        facts: of the run.
        split: that was scored.
        task: its type on the hub and its name.
        metrics: type on the hub, name and value of each metric.
    """
    corpus, key = quote_as_json(facts.corpus), re.sub(r"[^\w.-]+", "-", facts.corpus)
    yield from ("model-index:", f"- name: {quote_as_json(facts.name)}", "  results:")
    yield from ("  - task:", f"      type: {task[0]}", f"      name: {task[1]}")
    yield from (
        "    dataset:",
        f"      type: {quote_as_json(key)}",
        f"      name: {corpus}",
        f"      split: {quote_as_json(split)}",
    )
    yield "    metrics:"
    for kind, name, value in metrics:
        yield from (f"    - type: {kind}", f"      name: {name}", f"      value: {value:.6f}")


def quote_for_shell(text: str) -> str:
    """Return the text as a shell takes it for one word."""
    return text if re.fullmatch(r"[\w./-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def data_section(facts: Facts, columns: Sequence[str]) -> Iterator[str]:
    """Yield the corpus, a table with counts and fingerprint of each split, samples and warnings."""
    yield "## Data"
    rows = [
        (
            escape(split),
            *(f"{counts[column]:,}" if column in counts else "" for column in columns),
            f"`{facts.fingerprints[split]}`" if split in facts.fingerprints else "",
        )
        for split, counts in facts.counts_by_split.items()
    ]
    yield f"{escape(facts.corpus)}. The fingerprint tells whether a copy of the data is the one that was used."
    yield markdown_table(("split", *columns, "fingerprint"), rows)
    if notes := (*facts.samples, *facts.warnings):
        yield "\n".join(f"- {escape(note)}" for note in notes)


def training_section(facts: Facts, *, weighted: str) -> Iterator[str]:
    """Yield epochs, loss, settings and class weights; `weighted` names what has a weight, a tag or a label."""
    yield "## Training"
    is_choice = facts.best_epoch is not None and facts.epochs > 1
    best = f", of which epoch {facts.best_epoch} was kept" if is_choice else ""
    number_format = number_format_text(facts.number_format, facts.settings.get("precision", ""))
    yield (
        f"{counted(facts.epochs, 'epoch')}{best}; loss `{facts.loss}`, weighting scheme `{facts.scheme}`, seed "
        f"{facts.seed}{f'; number format {number_format}' if number_format else ''}. "
        "`report.md` and `training.png` show how it went."
    )
    rows = [(escape(name), escape(str(value))) for name, value in facts.settings.items()]
    if rows:
        yield markdown_table(("setting", "value"), rows)
    if facts.weights:
        yield f"Class weights in the loss, by {weighted}:"
        weights = [(escape(name), f"{weight:.6g}") for name, weight in facts.weights.items()]
        yield markdown_table((weighted, "weight"), weights)


def limits_section(own: Sequence[str], reading: Sequence[str]) -> Iterator[str]:
    """Yield the limits of the model: its own, those of every model, and those of how it reads text."""
    points = [
        *own,
        "The scores above hold for text like that of the corpus. Other languages, other kinds of text and names newer "
        "than the corpus can do much worse: score it on a sample of your own text first.",
        *reading,
        "It is a research tool. Do not base clinical decisions on it.",
    ]
    yield "## Limits"
    yield "\n".join(f"- {point}" for point in points)


def join_labels(labels: Sequence[str]) -> str:
    """Return the labels in one line."""
    return ", ".join(escape(label) for label in labels)


def repeat_section(facts: Facts) -> Iterator[str]:
    """Yield the command, the versions and the licence."""
    yield "## How to repeat it"
    yield f"```bash\n{facts.command}\n```"
    if notes := [note for note in (facts.data, _exact_precision(facts)) if note]:
        yield "\n".join(notes)
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    yield escape(f"Seed {facts.seed}; versions: {versions}." if versions else f"Seed {facts.seed}.")
    licence = escape(facts.licence) if facts.licence else "none has been chosen; ask before you pass the model on"
    yield f"Licence: {licence}. The encoder and the corpus have licences of their own, which may bind you too."


def _exact_precision(facts: Facts) -> str:
    """Return how to compute in the same number format on any machine, where a measurement chose it."""
    if facts.settings.get("precision") != "auto" or not facts.number_format:
        return ""
    option = f"--set optimiser.precision={facts.number_format}"
    return f"`precision = auto` chose {facts.number_format}; `{option}` takes it without measuring, on any machine."
