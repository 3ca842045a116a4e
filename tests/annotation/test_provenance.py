"""Provenance of annotations: what names the model in each format, and what is read back."""

from pathlib import Path

import pytest

from linnet import __version__
from linnet.annotation.annotate import annotate_path, collect_settings
from linnet.annotation.provenance import Provenance, describe_maker
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document, Span
from linnet.models.model_folder import model_fingerprint
from tests import tiny

BOTH_WAYS = [name for name in readable_formats() if name in writable_formats()]
MADE = Provenance("Linnet 1.0; model first", "abc")
INFONS = {"model": "abc", "annotated_by": "Linnet 1.0; model first"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("jsonl", set(INFONS)), ("bioc-xml", set(INFONS)), ("bioc-json", set(INFONS)), ("parquet", {"model"})],
)
def test_formats_with_a_place_for_it_name_the_model(name: str, expected: set[str]) -> None:
    assert set(MADE.infons_in(formats.get(name))) == expected


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_what_is_added_is_never_lost_and_is_read_back(tmp_path: Path, name: str) -> None:
    to = formats.get(name)
    text = "ataxia was seen ."
    document = Document("1", text, (Span(0, 6, "Disease"),), infons={"model": "an earlier one"})
    plain = to.losses(Document("1", text, document.spans))

    (written,) = MADE.add([document if MADE.infons_in(to) else Document("1", text, document.spans)], to)
    to.write([written], tmp_path / "out", WriteOptions())
    (found,) = to.read(tmp_path / "out", ReadOptions(), Notes())

    assert list(to.losses(written)) == list(plain)
    assert {key: found.infons[key] for key in MADE.infons_in(to)} == {k: INFONS[k] for k in MADE.infons_in(to)}


def test_a_job_writes_model_version_and_settings_without_a_path_of_this_machine(tmp_path: Path) -> None:
    """Issue 22: only Parquet said which model made it."""
    (tmp_path / "in.txt").write_text("ataxia .", encoding="utf-8")

    annotate_path(tmp_path / "in.txt", model=tiny.trained(), output=tmp_path / "out.jsonl", engine="torch")

    (found,) = formats.get("jsonl").read(tmp_path / "out.jsonl", ReadOptions(), Notes())
    assert found.infons == {
        "model": model_fingerprint(tiny.trained()),
        "annotated_by": f"Linnet {__version__}; model {tiny.trained().name}; engine torch",
    }
    assert str(tiny.trained().parent) not in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


def test_a_hub_name_is_kept_as_it_is(tmp_path: Path) -> None:
    settings = collect_settings("in.txt", model="someone/tagger", output=tmp_path / "o.jsonl", repair=True)

    assert describe_maker(settings) == f"Linnet {__version__}; model someone/tagger; input repaired"
