"""How are texts of a file answered by a model, and the answers written?"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document
from linnet.documents.texts import Judged, TextExample
from linnet.errors import BadFile, BadSetting, UnknownName, WouldLose
from linnet.extras import explain_missing_extras
from linnet.formats.corpus import choose_split, corpus_place, split_paths
from linnet.formats.reading import convert_documents, format_for_output, read_documents
from linnet.models.model_folder import model_fingerprint
from linnet.settings.training import TextSettings
from linnet.storage.files import new_file
from linnet.tasks.answering.bioasq_answers import BIOASQ, write_bioasq
from linnet.tasks.answering.task import Answering
from linnet.tasks.relations.unreached import asked
from linnet.tasks.texts.reading.empty_splits import refuse_empty
from linnet.tasks.texts.reading.headers import answer_column
from linnet.tasks.texts.reading.tables import split_files
from linnet.tasks.texts.task import Kind, TextTask

if TYPE_CHECKING:
    from linnet.tasks.texts.predictor import TextPredictor

__all__ = ["Predictions", "predict_path"]

TSV, JSONL = "tsv", "jsonl"  # rows of answers
SUFFIXES = {".tsv": TSV, ".jsonl": JSONL, ".json": BIOASQ}
SCORES = "infons of relations"  # as formats call what they lose
AT_ONCE = 256  # examples between two news of how far it is


@dataclass(frozen=True)
class Predictions:
    """What was answered."""

    examples: int
    answers: int
    seconds: float
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, float | int]:
        """Return plain values for JSON."""
        return {"examples": self.examples, "answers": self.answers, "seconds": self.seconds}


def predict_path(  # noqa: PLR0913 — each is an option of the command
    model: str | Path,
    source: str | Path,
    *,
    output: str | Path,
    to: str | None = None,
    split: str | None = None,
    repair: bool = False,
    threads: int | None = None,
    overwrite: bool = False,
    watcher: Callable[[int], object] | None = None,
) -> Predictions:
    """Answer the texts of a file with a model and write the answers; what `linnet.predict` is in Python.

    Args:
        model: folder of a model about texts.
        source: file (or corpus folder, with `split`) in one of the formats that the model's task reads.
        output: `.jsonl` or `.tsv`; for answers to questions also `.json` (BioASQ), for relations in documents also a
            document format, by its suffix.
        to: the form of the output, whatever its suffix: `jsonl`, `tsv`, `bioasq` or a document format.
        split: of a corpus folder; aliases such as `dev` are understood.
        repair: mend what can be mended by a stated rule.
        threads: of the CPU.
        overwrite: replace an output that is there.
        watcher: is told how many examples were answered since it was told last.

    Raises:
        LinnetError: where the texts cannot be read whole, or there are none, or the output cannot be written.
    """
    place, target = corpus_place(source), Path(output)
    if target.exists() and not overwrite:
        raise BadFile(f"{target}: is there already", "name another file, or replace it with `--overwrite`")
    started = time.monotonic()
    with explain_missing_extras():
        from linnet.tasks.texts.predictor import load_texts

    predictor, notes = load_texts(model, threads=threads), Notes()
    splits = predictor.task.read(place, predictor.settings, notes, repair=repair)
    chosen = _chosen(splits, place, split)
    examples = asked(splits[chosen])
    documents = _documents(predictor.task, place, chosen)
    reasons = (
        [_types(documents.place, predictor.settings, ReadOptions(repair=repair))] if documents and not examples else []
    )
    refuse_empty({chosen: examples}, place, notes, reasons=reasons)
    if documents is None:  # in documents nothing else can be taken for a label
        predictor.check_labels(examples, _about_labels(predictor.settings))
    form = _form(target, to and to.lower(), predictor.task, are_documents=documents is not None)
    judged = list(_judged(predictor, examples, watcher))
    if form == BIOASQ:
        sources = split_files(place, predictor.settings.files)[chosen]
        type = predictor.settings.questions
        write_bioasq(target, judged, sources=sources, examples=examples, type=type, notes=notes)
    elif documents is None or isinstance(form, str):
        _write_rows(target, judged, is_table=form == TSV)
    else:
        found = documents.task.with_answers(documents.place, judged, predictor.settings, repair=repair)
        _write_documents(found, target, form, WriteOptions(model=model_fingerprint(Path(model))), notes)
    return Predictions(len(examples), len(judged), time.monotonic() - started, notes.sentences())


@runtime_checkable
class _AnswersDocuments(Protocol):
    """A task whose answers belong into the documents that they are about."""

    def reads_documents(self, place: Path) -> bool:
        """Are there documents at this place, rather than rows of a table?"""
        ...

    def with_answers(
        self, place: Path, judged: Sequence[Judged], settings: TextSettings, *, repair: bool = False
    ) -> list[Document]:
        """Return the documents with what was predicted."""
        ...


class _Documents(NamedTuple):
    task: _AnswersDocuments
    place: Path  # of the split


def _chosen(splits: Mapping[str, list[TextExample]], place: Path, split: str | None) -> str:
    if split is None and len(splits) > 1:
        raise BadSetting(f"{place}: has the splits {', '.join(splits)}", "say which with `--split`")
    return next(iter(splits)) if split is None else choose_split(splits, split, place)


def _documents(task: TextTask, place: Path, split: str) -> _Documents | None:
    """Return the task with the split's documents, where it is one that answers in documents, and there are some."""
    if not isinstance(task, _AnswersDocuments):
        return None
    own = split_paths(place, None)[split]
    return _Documents(task, own) if task.reads_documents(own) else None


def _types(place: Path, settings: TextSettings, options: ReadOptions) -> str:
    """Return which types of mentions the model pairs, and which there are."""
    found = sorted({span.label for document in read_documents(place, options=options) for span in document.spans})
    wanted = ", ".join(settings.pairs or ("the types of relations",))
    return f"the model pairs {wanted} within a {settings.level}, the mentions are of {', '.join(found) or 'no type'}"


def _about_labels(settings: TextSettings) -> str:
    """Return what to do about labels that cannot be right, and may be no labels."""
    named = answer_column(settings.columns)
    taken = "of a table without a header the last column" if named is None else f"the column {named!r}"
    return (
        f"answers need no labels, so leave them out; {taken} was taken for the label: if it is none, name the columns "
        "in a first line"
    )


def _form(target: Path, to: str | None, task: TextTask, *, are_documents: bool) -> Format | str:
    """Return the format of documents to be written, or the name of a form of answers: TSV, JSONL or BIOASQ."""
    named = to or SUFFIXES.get(target.suffix.lower())
    if named == BIOASQ and isinstance(task, Answering):
        return BIOASQ
    if to == BIOASQ:
        raise BadSetting(f"the task {task.name!r} has no questions, which {BIOASQ} is for", "leave `--to` out")
    if not are_documents and named not in (TSV, JSONL):
        told = f"{target}: answers are written as .jsonl or .tsv" if to is None else f"answers are not written as {to}"
        has_more = f" {BIOASQ} or" if isinstance(task, Answering) else ""
        raise BadSetting(told, f"give the output such a name, or `--to` with{has_more} {JSONL} or {TSV}")
    if not are_documents or named == TSV:
        return str(named)
    try:
        return format_for_output(target, to)
    except UnknownName as error:
        raise UnknownName(
            error.problem, "end it in .tsv for rows, for documents in .jsonl, .xml or .json (BioC) or .pubtator"
        ) from None


def _judged(
    predictor: "TextPredictor", examples: Sequence[TextExample], watcher: Callable[[int], object] | None
) -> Iterator[Judged]:
    """Yield the answers; what belongs to one question is answered together."""
    waiting: list[TextExample] = []
    for together in _questions(examples, predictor.network.shape.kind):
        waiting += together
        if len(waiting) >= AT_ONCE:
            yield from predictor.judge(waiting)
            if watcher is not None:
                watcher(len(waiting))
            waiting = []
    if waiting:
        yield from predictor.judge(waiting)
        if watcher is not None:
            watcher(len(waiting))


def _questions(examples: Sequence[TextExample], kind: Kind) -> Iterable[list[TextExample]]:
    """Return what is answered together: wherever they stand, the texts of a question, which has its first's turn.

    Only stretches of texts are joined over them; of all else each example is answered by itself, and in its own turn.
    """
    if kind != "spans":
        return (list(group) for _, group in groupby(examples, key=_question))
    found: dict[str, list[TextExample]] = {}
    for each in examples:
        found.setdefault(_question(each), []).append(each)
    return found.values()


def _question(example: TextExample) -> str:
    return example.group or example.id


def _write_documents(
    documents: Sequence[Document], target: Path, to: Format, options: WriteOptions, notes: Notes
) -> None:
    """Write the documents; of what a format cannot hold, only the scores of relations are left out."""
    lost = {what for document in documents for what, number in to.losses(document) if number}
    if lost == {SCORES}:
        n_relations = sum(len(document.relations) for document in documents)
        notes.add(f"scores of relations, which {to.name} cannot hold, left out", str(target), n_relations)
        documents = [_without_scores(document) for document in documents]
    try:
        convert_documents(documents, target, to=to, options=options)
    except WouldLose as error:
        raise WouldLose(error.problem, "write a format that keeps everything: name the output .jsonl") from None


def _without_scores(document: Document) -> Document:
    return replace(document, relations=tuple(replace(each, infons={}) for each in document.relations))


def _write_rows(target: Path, judged: Sequence[Judged], *, is_table: bool) -> None:
    with new_file(target) as file:
        if is_table:
            file.write("id\tpredicted\tscore\n")
        for each in judged:
            file.write(_tsv(each) if is_table else _json(each))


def _json(judged: Judged) -> str:
    row: dict[str, Any] = {"id": judged.id, "predicted": judged.predicted, "score": judged.score}
    if judged.details:
        row["details"] = dict(judged.details)
    return json.dumps(row, ensure_ascii=False) + "\n"


def _tsv(judged: Judged) -> str:
    found = judged.predicted
    shown = "|".join(map(str, found)) if isinstance(found, tuple) else str(found)
    cells = [" ".join(value.split()) for value in (judged.id, shown)]  # neither tabs nor line ends inside
    return "\t".join([*cells, "" if judged.score is None else f"{judged.score:.6f}"]) + "\n"
