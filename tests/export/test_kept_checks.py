"""Checks of exports that are kept in the cache."""

from pathlib import Path
from typing import Any, cast

import pytest

from linnet.contracts import Exportable, LossInterval
from linnet.export.kept_checks import describe_check, keep_check, read_check
from linnet.tasks.ner.exporting import ExportableTagger, TagParity
from tests.export.exported import copied

PARITY = TagParity(
    n_sentences=2,
    words=10,
    equal_words=9,
    largest_difference=0.1,
    f1=0.9,
    exported_f1=0.8,
    loss_interval=LossInterval(low=-1.0, high=21.0, units="sentences", n_units=2),
)
ORIGINAL = cast(Exportable, ExportableTagger(Path("model"), cast(Any, None), None))
CHECK = {"model": "a", "corpus": "b"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_check_is_found_again_by_what_it_depends_on() -> None:
    keep_check(CHECK, PARITY)

    assert read_check(CHECK, ORIGINAL) == PARITY
    assert read_check({**CHECK, "corpus": "c"}, ORIGINAL) is None


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"check": {}, "parity": {}, "digest": ""}'])
def test_a_damaged_entry_is_ignored_and_replaced(cache: Path, content: str) -> None:
    keep_check(CHECK, PARITY)
    (entry,) = (cache / "checks").iterdir()
    entry.write_text(content, encoding="utf-8")

    assert read_check(CHECK, ORIGINAL) is None
    keep_check(CHECK, PARITY)
    assert read_check(CHECK, ORIGINAL) == PARITY


def test_a_changed_entry_is_ignored(cache: Path) -> None:
    keep_check(CHECK, PARITY)
    (entry,) = (cache / "checks").iterdir()
    entry.write_text(entry.read_text(encoding="utf-8").replace("0.8", "0.9"), encoding="utf-8")

    assert read_check(CHECK, ORIGINAL) is None


def test_a_cache_that_cannot_be_written_is_no_problem(cache: Path) -> None:
    cache.write_text("a file, no folder", encoding="utf-8")

    keep_check(CHECK, PARITY)

    assert read_check(CHECK, ORIGINAL) is None


def test_a_check_depends_on_every_file_of_the_export_and_on_the_corpus(tmp_path: Path) -> None:
    folder = copied(tmp_path / "onnx")
    before = describe_check(folder, task="ner", corpus="a")

    (folder / "config.json").write_bytes((folder / "config.json").read_bytes() + b" ")

    assert before != describe_check(folder, task="ner", corpus="a")
    assert {"task", "model", "corpus", "linnet", "file model.onnx", "file config.json"} <= set(before)
