"""Corpora about whole texts that a tiny encoder can learn, one for each task, of the words that its tokenizer knows."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.contracts import tasks as registry
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.tasks.texts.plan import TextPlan, prepare_texts
from linnet.tasks.texts.settings import TextTrainSettings
from linnet.tasks.texts.task import TextTask
from linnet.training.job import SilentWatcher, Watcher
from linnet.training.options import read_recipe
from linnet.training.run_folder import Run
from linnet.training.train import train as train_model
from tests import tiny

TREATED, UNCHANGED = "{d} was treated with {c} .", "{c} did not change {d} in mice ."
UNKNOWN, GIVEN = "no cause of {d} is known", "we gave {c} ."
TASKS = ("relations", "classification", "similarity", "inference", "answering")
KINDS = (*TASKS, "several", "yesno")  # and two of their forms
TASK_OF = {"several": "classification", "yesno": "answering"}
OWN_SETTINGS: Mapping[str, dict[str, Any]] = {"yesno": {"text": {"questions": "yesno"}}}
SIZES = {"train": 24, "devel": 8, "test": 8}

Draw = random.Random
Rows = Sequence[Sequence[object]]


@cache
def corpus(kind: str) -> Path:
    """Return the folder of the tiny corpus of a kind."""
    return write(tiny.workshop() / f"texts-{kind}", kind)


@cache
def trained(kind: str) -> Path:
    """Return the folder of a run that has learned the tiny corpus of a kind."""
    return train(kind, tiny.workshop() / f"trained-{kind}", epochs=6, learning_rate=0.03).folder


def write(folder: Path, kind: str, **sizes: int) -> Path:
    """Write a corpus of three splits and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (split, number) in enumerate({**SIZES, **sizes}.items()):
        if number:
            WRITERS[kind](folder / split, Draw(seed), number)
    return folder


def task(kind: str) -> TextTask[Any]:
    """Return the task of a kind."""
    found = registry.get(TASK_OF.get(kind, kind))
    assert isinstance(found, TextTask)
    return found


def settings(kind: str, output: Path, **given: Any) -> TextTrainSettings:
    """Return settings of a quick training on the tiny corpus of a kind."""
    quick: dict[str, Any] = {"epochs": 1, "batch_size": 8, "max_length": 64, "learning_rate": 3e-3}
    paths = {"data": str(corpus(kind)), "encoder": str(tiny.encoder()), "output": str(output)}
    own = {"task": TASK_OF.get(kind, kind), **OWN_SETTINGS.get(kind, {})}
    found = read_recipe(None, **(quick | paths | own | given))
    assert isinstance(found, TextTrainSettings)
    return found


def plan(kind: str, **given: Any) -> TextPlan:
    """Return what is known before a network is loaded."""
    return prepare_texts(settings(kind, Path("unused"), **given), task(kind))


def train(
    kind: str, output: Path, *, watcher: Watcher | None = None, resume: bool = False, overwrite: bool = False,
    **given: Any,
) -> Run:  # fmt: skip
    """Train quickly, without drawing, which would take longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linnet.tasks.texts.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))
        for name in ("plot_numbers", "plot_confusion"):
            patch.setattr(f"linnet.reports.plots.{name}", lambda *given, **_: None)
        chosen = settings(kind, output, **given)
        return train_model(chosen, watcher=watcher or SilentWatcher(), resume=resume, overwrite=overwrite)


def filled(frame: str, draw: Draw) -> str:
    """Return a frame with a disease and a chemical in it."""
    return frame.format(d=draw.choice(tiny.DISEASES), c=draw.choice(tiny.CHEMICALS))


def documents(draw: Draw, number: int) -> list[Document]:
    """Return documents with a chemical and a disease, related where one was treated with the other."""
    found = []
    for each in range(number):
        frame = (TREATED, UNCHANGED)[each % 2]
        disease, chemical = draw.choice(tiny.DISEASES), draw.choice(tiny.CHEMICALS)
        text = frame.format(d=disease, c=chemical)
        places = {"Chemical": text.index(chemical), "Disease": text.index(disease)}
        spans = (
            Span(places["Chemical"], places["Chemical"] + len(chemical), "Chemical", id="T1"),
            Span(places["Disease"], places["Disease"] + len(disease), "Disease", id="T2"),
        )
        arguments = (Argument("Arg1", "T1"), Argument("Arg2", "T2"))
        relations = (Relation("treats", arguments, "R1"),) if frame == TREATED else ()
        found.append(Document(f"{each + 1}", text, tuple(sorted(spans, key=lambda span: span.start)), relations))
    return found


def write_table(path: Path, rows: Rows) -> Path:
    """Write values between tabs."""
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def _relations(path: Path, draw: Draw, number: int) -> None:
    formats.get("jsonl").write(documents(draw, number), path.with_suffix(".jsonl"), WriteOptions())


def _classification(path: Path, draw: Draw, number: int) -> None:
    labels = {TREATED: "treated", UNCHANGED: "unchanged", UNKNOWN: "unknown"}
    chosen = [list(labels)[each % 3] for each in range(number)]
    write_table(path.with_suffix(".tsv"), [(filled(frame, draw), labels[frame]) for frame in chosen])


def _several(path: Path, draw: Draw, number: int) -> None:
    labels = {TREATED: ["chemical", "disease"], UNKNOWN: ["disease"], GIVEN: ["chemical"], "in mice .": []}
    chosen = [list(labels)[each % 4] for each in range(number)]
    rows = [{"id": f"{at // 2}_s{at}", "text": filled(each, draw), "labels": labels[each]} for at, each in _n(chosen)]
    path.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _similarity(path: Path, draw: Draw, number: int) -> None:
    scores = {TREATED: 4.0, UNKNOWN: 2.5, GIVEN: 1.0}
    chosen = [list(scores)[each % 3] for each in range(number)]
    rows = [(filled(TREATED, draw), filled(frame, draw), scores[frame]) for frame in chosen]
    write_table(path.with_suffix(".tsv"), rows)


def _inference(path: Path, draw: Draw, number: int) -> None:
    labels = {TREATED: "entailment", UNKNOWN: "contradiction", GIVEN: "neutral"}
    chosen = [list(labels)[each % 3] for each in range(number)]
    header = ("premise", "hypothesis", "label")
    rows = [("in mice .", filled(frame, draw), labels[frame]) for frame in chosen]
    write_table(path.with_suffix(".tsv"), [header, *rows])


def _answering(path: Path, draw: Draw, number: int) -> None:
    paragraphs = []
    for each in range(number):
        chemical = draw.choice(tiny.CHEMICALS)
        context = draw.choice((TREATED, GIVEN)).format(d=draw.choice(tiny.DISEASES), c=chemical)
        answer = {"text": chemical, "answer_start": context.index(chemical)}
        asked = {"id": f"{path.name}-q{each}", "question": "treated with", "answers": [answer]}
        paragraphs.append({"context": context, "qas": [asked]})
    content = {"version": "1", "data": [{"title": "tiny", "paragraphs": paragraphs}]}
    path.with_suffix(".json").write_text(json.dumps(content), encoding="utf-8")


def _yesno(path: Path, draw: Draw, number: int) -> None:
    answers = {TREATED: "yes", UNKNOWN: "no"}
    chosen = [list(answers)[each % 2] for each in range(number)]
    rows = [(f"{path.name}-q{at}", "is known", filled(frame, draw), answers[frame]) for at, frame in _n(chosen)]
    write_table(path.with_suffix(".tsv"), [("id", "question", "context", "label"), *rows])


def _n(frames: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(frames, 1))


WRITERS: Mapping[str, Callable[[Path, Draw, int], None]] = {
    "relations": _relations,
    "classification": _classification,
    "several": _several,
    "similarity": _similarity,
    "inference": _inference,
    "answering": _answering,
    "yesno": _yesno,
}
