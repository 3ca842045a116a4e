"""The documents of a job are read once, with unique ids, and counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.annotate import collect_settings
from linnet.annotation.blocks import Failure
from linnet.annotation.counted_inputs import choose_format, count_inputs, read_inputs
from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile, LinnetError
from linnet.formats.inputs.reading import find_inputs
from linnet.settings.annotation import AnnotateSettings


class Counter:
    def __init__(self) -> None:
        self.n_found = 0

    def find(self, number: int) -> None:
        self.n_found += number

    def keep(self, number: int) -> None: ...

    def finish(self, number: int) -> None: ...


def test_an_id_of_another_file_is_a_failure_and_every_input_counts(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"id": "1", "text": "fever"}\n', encoding="utf-8")
    settings = AnnotateSettings(source=str(tmp_path), model="m", output="o.jsonl")
    files, shares, counter = find_inputs(tmp_path, format=None, notes=Notes()), list[float](), Counter()

    found = list(count_inputs(read_inputs(files, Notes(), settings, shares.append), counter))  # type: ignore[arg-type]

    assert [isinstance(each, Failure) for each in found] == [False, True]
    assert counter.n_found == 2
    assert shares[-1] == 1.0


def read_all(path: Path, **settings: Any) -> list[Document | Failure]:
    chosen = collect_settings(path, model="m", output="o.jsonl", **settings)
    files = find_inputs(path, format=choose_format(chosen), notes=Notes())
    return list(read_inputs(files, Notes(), chosen, None))


def write_foreign(path: Path, number: int, *, good: int | None = None) -> Path:
    rows: list[dict[str, object]] = [{"pmid": n, "abstract": f"text {n}"} for n in range(number)]
    if good is not None:
        rows[good] = {"id": "good", "text": "text"}
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_an_input_whose_first_documents_all_fail_for_one_reason_is_refused(tmp_path: Path) -> None:
    """Issue 22: with other names of fields, every document failed, and nobody said so."""
    source = write_foreign(tmp_path / "in.jsonl", 100)

    with pytest.raises(BadFile, match=r"first 100 documents all fail for the same reason: .*unknown field") as refused:
        read_all(source)

    assert "`--text-field`" in refused.value.remedy


@pytest.mark.parametrize(("number", "limit"), [(3, None), (99, None), (150, 20)])
def test_a_short_input_and_a_first_try_are_refused_alike(tmp_path: Path, number: int, limit: int | None) -> None:
    source = write_foreign(tmp_path / "in.jsonl", number)

    with pytest.raises(BadFile, match=rf"all {limit or number} documents fail for the same reason") as refused:
        read_all(source, limit=limit)

    assert "`--text-field`" in refused.value.remedy


@pytest.mark.parametrize(("number", "good"), [(2, None), (99, 98), (150, 60)])
def test_fewer_failures_and_those_after_a_document_are_recorded(tmp_path: Path, number: int, good: int | None) -> None:
    found = read_all(write_foreign(tmp_path / "in.jsonl", number, good=good))

    assert sum(isinstance(each, Failure) for each in found) == number - (good is not None)


def test_fields_can_have_other_names(tmp_path: Path) -> None:
    source = write_foreign(tmp_path / "in.jsonl", 2)

    assert read_all(source, id_field="pmid", text_field=["abstract"]) == [
        Document("0", "text 0"),
        Document("1", "text 1"),
    ]
    with pytest.raises(LinnetError, match="name that of the text too"):
        read_all(source, id_field="pmid")
    with pytest.raises(LinnetError, match="is read as text"):
        read_all(source, text_field=["abstract"], source_format="text")
