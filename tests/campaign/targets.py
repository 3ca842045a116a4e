"""Every reader of Linnet as a target of fuzzing: how a file is read, and what is counted of it."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from linnet.annotation.work import Work
from linnet.comparison.grid import load_grid
from linnet.comparison.identity import Log
from linnet.contracts import Notes, ReadOptions, formats, readable_formats, tasks
from linnet.documents.document import Document
from linnet.formats.inputs.lenient import read_leniently
from linnet.formats.inputs.reading import find_inputs
from linnet.formats.reading import read_documents
from linnet.models.published.relabelling import read_labels
from linnet.pretraining.text.sources import find_texts, read_texts
from linnet.reports.tagged_files import units_from_one_file
from linnet.reports.unheld import read_unheld
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.tasks.texts.evaluation import read_text_predictions
from linnet.training.options import read_recipe
from tests.campaign import samples, task_counts
from tests.campaign.comparison_targets import comparison_targets
from tests.campaign.counts import COUNTERS, Held, count_brat, visible
from tests.campaign.target import Contradiction, Target
from tests.campaign.vocabulary_targets import vocabulary_targets

__all__ = ["targets"]

SUFFIXES = {"jsonl": ".jsonl", "conll": ".tsv", "pubtator": ".pubtator", "bioc-json": ".json"}
SUFFIXES |= {"bioc-xml": ".xml", "pubmed-xml": ".xml", "jats": ".nxml"}
SUFFIXES |= {"pubannotation": ".json", "label-studio": ".json", "doccano": ".jsonl"}
REGISTERED = ("task", "loss.name", "loss.scheme")  # settings whose names may be written in capitals
TABLE_TASKS = ("classification", "similarity", "inference", "relations", "answering")


@cache
def targets() -> tuple[Target, ...]:
    """Return all readers; formats and tasks come from their registries."""
    known = (*_format_targets(), _brat_target(), *_table_targets(), *_question_targets(), *_other_targets())
    return (*known, *vocabulary_targets(), *comparison_targets())


def _format_targets() -> Iterable[Target]:
    for name in readable_formats():
        if name == "brat":
            continue
        others = [file for files in samples.document_files().values() for file in files]
        files = tuple(samples.document_files().get(name, others))  # a format without a writer gets files of others
        suffix, count = SUFFIXES.get(name, ".txt"), COUNTERS.get(name)
        yield Target(f"format {name}", suffix, files, _reader(name, repair=False), count)
        yield Target(f"format {name} --repair", suffix, files, _reader(name, repair=True), count)
        yield Target(f"detected {name}", suffix, files, _read_detected)
        yield Target(f"annotate {name}", suffix, files, _read_inputs)


def _reader(name: str, *, repair: bool) -> Callable[[Path], Held | None]:
    def read(path: Path) -> Held | None:
        notes = Notes()
        found = list(formats.get(name).read(path, ReadOptions(repair=repair), notes))
        return None if _is_less(notes) else _held(found)

    return read


def _is_less(notes: Notes) -> bool:
    """Do the notes tell of something that was left out?"""
    return any("left out" in what or "dropped" in what for what in notes.counts)


def _held(documents: list[Document]) -> Held:
    spans, relations = sum(len(each.spans) for each in documents), sum(len(each.relations) for each in documents)
    for each in documents:
        if any(not 0 <= span.start <= span.end <= len(each.text) for span in each.spans):
            raise Contradiction(f"document {each.id!r} has a mention outside of its text")
    return {
        "documents": len(documents),
        "mentions": spans,
        "relations": relations,
        "annotations": spans + relations,
        "words": sum(len(sentence.tokens) for each in documents for sentence in each.sentences),
        "visible": sum(visible(each.text) for each in documents),
    }


def _read_detected(path: Path) -> None:
    for _ in read_documents(path):
        pass


def _read_inputs(path: Path) -> None:
    notes = Notes()
    for file in find_inputs(path, format=None, notes=notes):
        for _ in read_leniently(file, notes):
            pass


def _brat_target() -> Target:
    """Texts and annotations in one fuzzed file: the length of the text, then both."""
    files = tuple(len(text).to_bytes(4) + text + notes for text, notes in samples.brat_pairs())

    def read(path: Path) -> Held | None:
        folder = path.with_name("brat")
        folder.mkdir(exist_ok=True)
        text, annotations = _split(path.read_bytes())
        (folder / "one.txt").write_bytes(text)
        (folder / "one.ann").write_bytes(annotations)
        return _held(list(formats.get("brat").read(folder, ReadOptions(), Notes())))

    return Target("format brat", ".pair", files, read, lambda content: count_brat(*_split(content)))


def _split(content: bytes) -> tuple[bytes, bytes]:
    size = min(int.from_bytes(content[:4]), len(content))
    return content[4 : 4 + size], content[4 + size :]


def _table_targets() -> Iterable[Target]:
    for name in TABLE_TASKS:
        given: dict[str, Any] = {"questions": "yesno"} if name == "answering" else {}
        for suffix, texts in samples.table_files(name).items():
            files = tuple(text.encode() for text in texts)
            yield Target(
                f"task {name} {suffix}", suffix, files, _task_reader(name, given), task_counts.count_rows(suffix)
            )
    documents = tuple(samples.document_files()["jsonl"])
    yield Target("task relations documents", ".jsonl", documents, _task_reader("relations", {}))


def _question_targets() -> Iterable[Target]:
    squad, golden = samples.squad_file().encode(), samples.bioasq_file().encode()
    read = _task_reader("answering", {"questions": "factoid"})
    yield Target("task answering SQuAD", ".json", (squad,), read, task_counts.count_squad)
    for type in ("factoid", "list", "yesno"):
        read, count = _task_reader("answering", {"questions": type}), task_counts.count_questions(type)
        yield Target(f"task answering BioASQ {type}", ".json", (golden,), read, count)
    files = (samples.pubmedqa_file().encode(),)
    yield Target("task inference PubMedQA", ".json", files, _task_reader("inference", {}), task_counts.count_pubmedqa)


def _task_reader(name: str, given: dict[str, Any]) -> Callable[[Path], Held | None]:
    def read(path: Path) -> Held | None:
        task: Any = tasks.get(name)
        notes = Notes()
        examples = [each for split in task.read(path, task.section(**given), notes).values() for each in split]
        if _is_less(notes):
            return None
        n_labels = [len(each.gold) if isinstance(each.gold, tuple) and name == "relations" else 1 for each in examples]
        shown = sum(visible(each.first) + visible(each.second) for each in examples)
        return {"rows": sum(max(1, number) for number in n_labels), "visible": shown}

    return read


def _other_targets() -> Iterable[Target]:
    for name, (suffix, read) in OTHERS.items():
        files = tuple(text.encode() for text in samples.plain_files()[name])
        yield Target(name, suffix, files, _discard(read))


def _discard(read: Callable[[Path], Any]) -> Callable[[Path], None]:
    def read_only(path: Path) -> None:
        read(path)

    return read_only


def _read_recipe(path: Path) -> None:
    _check_settings(path, read_recipe(path).model_dump())


def _read_pretraining(path: Path) -> None:
    _check_settings(path, load_settings(PretrainSettings, path).model_dump())


def _check_settings(path: Path, found: dict[str, Any]) -> None:
    """Refuse settings that have other values than the file."""
    given, read = task_counts.leaves(path.read_bytes()), dict(task_counts.flatten(found))
    for name, value in (given or {}).items():
        if name in read and isinstance(value, str | int | float) and str(read[name]) != str(value):
            if isinstance(value, int | float) and float(read[name]) == float(value):
                continue
            if name in REGISTERED and read[name] == str(value).lower():
                continue
            raise Contradiction(f"{name} is {value!r} in the file and {read[name]!r} in the settings")


def _read_scored(path: Path) -> None:
    units_from_one_file(path, ReadOptions(), Notes())


def _read_unheld(path: Path) -> None:
    path.replace(path.with_name("predictions.gold.jsonl"))
    read_unheld(path.with_name("predictions.tsv"), 2)


def _read_texts(path: Path) -> None:
    notes = Notes()
    for file in find_texts([str(path)], notes):
        for _ in read_texts(file, notes):
            pass


def _read_job(path: Path) -> None:
    (path.parent / "work").mkdir(exist_ok=True)
    path.replace(path.parent / "work" / "job.json")
    Work(path.parent / "work").check_same({"input": "a"})


def _read_block(path: Path) -> None:
    work = Work(path.parent / "blocks")
    work.folder.mkdir(exist_ok=True)
    path.replace(work.path(0))
    for block in work.blocks():
        json.dumps(block.n_words)


def _read_log(path: Path) -> None:
    path.replace(path.with_name("log.jsonl"))
    Log(path.parent)


def _read_state(path: Path) -> None:
    from linnet.training.checkpoint import read_state  # which loads torch

    path.replace(path.with_name("state.json"))
    read_state(path.parent)


OTHERS: dict[str, tuple[str, Callable[[Path], Any]]] = {  # what they return is not counted
    "recipe": (".toml", _read_recipe),
    "grid": (".toml", lambda path: load_grid(path)),
    "pretraining": (".toml", _read_pretraining),
    "scored": (".tsv", _read_scored),
    "unheld": (".jsonl", _read_unheld),
    "predictions": (".jsonl", lambda path: read_text_predictions(path)),
    "labels": (".txt", lambda path: read_labels(path)),
    "texts": (".txt", _read_texts),
    "job": (".json", _read_job),
    "block": (".jsonl", _read_block),
    "log": (".jsonl", _read_log),
    "state": (".json", _read_state),
}
