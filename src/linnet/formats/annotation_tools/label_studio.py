"""Label Studio format: tasks with annotations or predictions of labelled regions in a text.

The text of a task is `data.text`, or the only text among its data; the other data are infons of the document. Of
several annotations of a task one is read: the ground truth if there is one, else the first that was not cancelled; the
others are noted. Predictions are read where there is no annotation, and written where mentions have scores. A region
with several labels is several mentions. Links and infons of a mention are kept in the `meta` of its region.

Label Studio counts offsets in characters; before 2022 it counted UTF-16 code units (its issue 1347). Regions carry
their text, so that both are read right, and what fits neither is refused.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.documents.utf16 import Utf16Offsets
from linnet.errors import BadFile
from linnet.formats.annotation_tools.label_studio_writing import DATA_FIELDS, ROLES, losses_of, task_of
from linnet.formats.annotation_tools.records import (
    Json,
    encode,
    id_of_record,
    infons_from,
    parse_list,
    parse_offset,
    parse_score,
    parse_text,
    read_documents,
)
from linnet.formats.json_stream import read_first_object
from linnet.formats.unique_ids import claim_id, ids_to_claim
from linnet.storage.files import new_file

__all__ = ["LabelStudio", "text_of_task"]

WHAT = "a task of Label Studio"


class LabelStudio:
    """Tasks with labelled regions."""

    name = "label-studio"
    suffixes: tuple[str, ...] = (".label-studio",)
    description = "Label Studio JSON: tasks with labelled regions and relations, as annotations or predictions"
    reads_unique_ids = True

    def recognises(self, path: Path, head: str) -> bool:
        """Does the first object have data, or annotations of something that stands elsewhere in it?"""
        found = read_first_object(head)
        is_task = any(isinstance(found.get(key), list) for key in ("annotations", "predictions"))
        is_other = {"text", "passages", "documents"} & found.keys()
        return isinstance(found.get("data"), dict) or (is_task and not is_other)

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Stream the documents; regions are checked against the text."""

        def build(record: Json, number: int, place: str) -> Document:
            return _TaskReader(record, place, options, notes).build_document(path, number)

        return read_documents(path, WHAT, options, notes, build)

    def losses(self, document: Document) -> list[tuple[str, int]]:
        """Return what Label Studio cannot hold of the document."""
        return losses_of(document)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write a list with a task on each line."""
        ids = ids_to_claim(options)
        with new_file(path) as file:
            file.write("[")
            separator = "\n"
            for document in documents:
                claim_id(document.id, ids, str(path))
                file.write(separator + encode(task_of(document), document.id))
                separator = ",\n"
            file.write("\n]\n")


formats.register("label-studio")(LabelStudio())


def text_of_task(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name and the content of the text among the data of a task.

    Raises:
        ValueError: if there is none, or several and none is called `text`.
    """
    texts = {key: value for key, value in data.items() if isinstance(value, str) and key != "id"}
    if "text" in texts:
        return "text", texts["text"]
    if len(texts) != 1:
        raise ValueError(f"the data have {len(texts)} texts, and none is called 'text'")
    return next(iter(texts.items()))


class _TaskReader:
    """Reads one task."""

    def __init__(self, record: Json, place: str, options: ReadOptions, notes: Notes) -> None:
        self._record, self._place, self._options, self._notes = record, place, options, notes
        data = record["data"]
        if not isinstance(data, dict):
            raise TypeError("'data' is no object")
        self._data = data
        self._text_key, self._text = text_of_task(data)
        self._units = Utf16Offsets(self._text)

    def build_document(self, path: Path, number: int) -> Document:
        found, version = self._choose_results()
        infons = {key: value for key, value in self._data.items() if key not in (*DATA_FIELDS, self._text_key)}
        if version and "model" not in infons:
            infons["model"] = version
        regions = [each for each in found if each.get("type") == "labels"]
        relations = [each for each in found if each.get("type") == "relation"]
        for each in found:
            if each.get("type") not in ("labels", "relation"):
                self._notes.add(f"results of type {each.get('type')!r} left out", self._place)
        return Document(
            id=id_of_record(self._data.get("id", self._record.get("id")), path, number),
            text=self._text,
            spans=tuple(span for region in regions for span in self._read_region(region)),
            relations=tuple(relation for each in relations for relation in _read_relation(each)),
            infons=infons_from(infons, self._place, self._notes),
        )

    def _choose_results(self) -> tuple[list[Json], str]:
        """Return the results of one annotation or prediction, and the model of a prediction."""
        annotations = [each for each in parse_list(self._record, "annotations") if not each.get("was_cancelled")]
        annotations.sort(key=lambda each: not each.get("ground_truth"))
        predictions = [] if annotations else parse_list(self._record, "predictions")
        if not annotations and not predictions:
            return [], ""
        chosen, *others = annotations or predictions
        if others:
            what = "annotations" if annotations else "predictions"
            self._notes.add(f"further {what} of one task left out", self._place, len(others))
        return parse_list(chosen, "result"), str(chosen.get("model_version") or "") if predictions else ""

    def _read_region(self, region: Json) -> Iterator[Span]:
        value = region["value"]
        start, end = self._find_ends(value)
        meta = dict(region.get("meta") or {})
        links = meta.pop("links") if isinstance(meta.get("links"), list) else []
        labels = parse_list(value, "labels")
        if not labels:
            self._notes.add("regions without a label left out", self._place)
        for number, label in enumerate(labels):
            name = parse_text(region.get("id", ""), "the id")
            yield Span(
                start=start,
                end=end,
                label=parse_text(label, "the label"),
                id=f"{name}.{number}" if number and name else name,
                links=tuple(Link(parse_text(e["identifier"], "a link"), str(e.get("database", ""))) for e in links),
                score=parse_score(region.get("score")),
                infons=infons_from(meta, self._place, self._notes),
            )

    def _find_ends(self, value: Mapping[str, Any]) -> tuple[int, int]:
        """Return the offsets in characters, checked against the text of the region if it has one."""
        start, end = parse_offset(value["start"], "'start'"), parse_offset(value["end"], "'end'")
        expected = value.get("text")
        if expected is None or self._is_there(start, end, expected):
            return start, end
        older = self._units.to_characters(start), self._units.to_characters(end)
        if older[0] is not None and older[1] is not None and self._is_there(older[0], older[1], expected):
            self._notes.add("offsets in UTF-16 code units, as old versions wrote them, were read", self._place)
            return older[0], older[1]
        if not self._options.repair:
            there = self._text[start:end] if 0 <= start <= end else ""
            raise BadFile(
                f"{self._place}: a region has {expected!r}, and {there!r} is the text at {start} to {end}",
                "count the offsets again; `--repair` uses the offsets as they are",
            )
        self._notes.add("regions whose text differs from the text at their offsets, which were used", self._place)
        return start, end

    def _is_there(self, start: int, end: int, expected: object) -> bool:
        there = self._text[start:end] if 0 <= start <= end else None
        return isinstance(expected, str) and (there == expected or there == expected.replace("\\n", "\n"))


def _read_relation(found: Json) -> Iterator[Relation]:
    direction = found.get("direction") or "right"
    ends = [parse_text(found["from_id"], "'from_id'"), parse_text(found["to_id"], "'to_id'")]
    if direction == "left":
        ends.reverse()
    arguments = tuple(Argument(role, end) for role, end in zip(ROLES, ends, strict=True))
    infons = {"direction": "bi"} if direction == "bi" else {}
    for label in parse_list(found, "labels") or [""]:
        yield Relation(parse_text(label, "the label"), arguments, infons=infons)
