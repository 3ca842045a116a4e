"""Kept soft targets: computed once, resumed, and refused where they are of another teacher or of other texts."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linnet.errors import BadFile
from linnet.tasks.ner.distillation import targets
from linnet.tasks.ner.distillation.targets import compute_targets, open_targets, targets_folder
from linnet.tasks.ner.distillation.teachers import Teacher, find_teachers
from linnet.tasks.ner.distillation.texts import UnlabelledTexts, read_texts
from linnet.tasks.ner.predictor import Predictor, load
from linnet.training.job import SilentWatcher, telling_preparation
from tests.tasks.ner.distillation import taught


def both() -> tuple[Teacher, UnlabelledTexts]:
    given = taught.settings()
    return find_teachers(given)[0], read_texts(given, seed=0)


def read(folder: Path) -> Any:
    teacher, texts = both()
    return np.array(open_targets(folder, 1, teacher, texts))


@pytest.mark.long
def test_targets_are_the_log_probabilities_of_each_word(tmp_path: Path) -> None:
    teacher, texts = both()

    compute_targets(tmp_path, [teacher], texts)

    found = read(tmp_path)
    model = load(teacher.folder)
    expected = np.concatenate([model.decoder.log_probabilities(row) for row in model.word_scores(texts.sentences)])
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, expected.clip(-100), rtol=2e-3, atol=1e-3)
    np.testing.assert_allclose(np.exp(found.astype(float)).sum(axis=1), 1, atol=0.01)


def test_they_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)
    monkeypatch.setattr(targets, "load", None)  # a model that is loaded again would fail

    compute_targets(tmp_path, [teacher], texts)


def test_an_interrupted_computation_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher, texts = both()
    compute_targets(tmp_path / "whole", [teacher], texts)
    monkeypatch.setattr(targets, "BLOCK", 8)
    scored: list[int] = []
    original = Predictor.word_scores

    def interrupted(self: Predictor, sentences: Any) -> Any:
        scored.append(len(sentences))
        if len(scored) == 3:
            raise KeyboardInterrupt
        return original(self, sentences)

    monkeypatch.setattr(Predictor, "word_scores", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compute_targets(tmp_path / "parts", [teacher], texts)
    kept = json.loads((tmp_path / "parts" / "teacher-1.json").read_text(encoding="utf-8"))

    compute_targets(tmp_path / "parts", [teacher], texts)

    assert kept["done"] == 16
    assert sum(scored) - 8 == len(texts.sentences)  # the block that failed was scored again, no other
    np.testing.assert_allclose(read(tmp_path / "parts"), read(tmp_path / "whole"), atol=0.02)


def test_targets_of_another_teacher_or_of_other_texts_are_refused(tmp_path: Path) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)

    with pytest.raises(BadFile, match="keeps the targets of another teacher") as of_teacher:
        compute_targets(tmp_path, [replace(teacher, name="runs/other", fingerprint="ff")], texts)
    with pytest.raises(BadFile, match="keeps the targets of other texts"):
        compute_targets(tmp_path, [teacher], UnlabelledTexts(texts.sentences[1:]))

    assert "runs/other (weights ff)" in of_teacher.value.problem
    assert teacher.name in of_teacher.value.problem


def write_table(path: Path, dtype: str) -> None:
    teacher, texts = both()
    np.save(path, np.zeros((texts.n_words, len(teacher.tags)), dtype))


def header(shape: str) -> bytes:
    """Return a file of numbers whose head says this shape."""
    text = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}".encode()
    padded = text + b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded


@pytest.mark.parametrize("value", [np.nan, np.inf, 3.0])
def test_values_that_are_no_logarithms_are_refused(tmp_path: Path, value: float) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)
    table = np.load(tmp_path / "teacher-1.npy", mmap_mode="r+")
    table[3, 1] = value
    table.flush()

    with pytest.raises(BadFile, match="no logarithm of a probability"):
        open_targets(tmp_path, 1, teacher, texts)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("teacher-1.npy", b"{}"),
        ("teacher-1.npy", b""),
        ("teacher-1.npy", b"PK\x03\x04garbage"),
        ("teacher-1.npy", header("(True, 5)")),
        ("teacher-1.npy", header(f"({10**30}, 5)")),
        ("teacher-1.npy", header("(8, 5")),
        ("teacher-1.npy", header("(8, 5), {[]: 1}: 2")),
        ("teacher-1.json", b"{}"),
        ("teacher-1.json", b""),
        ("teacher-1.json", b"\xff"),
        ("teacher-1.json", b"[" * 100_000),
        ("teacher-1.json", b"1" * 5000),
    ],
    ids=range(12),
)
def test_damaged_targets_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)
    (tmp_path / name).write_bytes(content)

    with pytest.raises(BadFile, match="these soft targets cannot be read"):
        compute_targets(tmp_path, [teacher], texts)


@pytest.mark.parametrize(
    "changed", [{"done": -5}, {"done": 10**9}, {"done": "8"}, {"done": None}, {"sentences": "x", "texts": "other"}]
)
def test_targets_with_impossible_counts_are_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)
    facts = json.loads((tmp_path / "teacher-1.json").read_text(encoding="utf-8"))
    (tmp_path / "teacher-1.json").write_text(json.dumps(facts | changed), encoding="utf-8")

    with pytest.raises(BadFile, match=r"teacher-1\.json: these soft targets cannot be read"):
        compute_targets(tmp_path, [teacher], texts)


def test_targets_in_another_number_format_are_refused(tmp_path: Path) -> None:
    teacher, texts = both()
    compute_targets(tmp_path, [teacher], texts)
    write_table(tmp_path / "teacher-1.npy", "float64")

    with pytest.raises(BadFile, match="its numbers are float64, expected float16"):
        compute_targets(tmp_path, [teacher], texts)


def test_without_a_folder_of_their_own_they_are_in_the_cache_by_teachers_and_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path))
    teacher, texts = both()
    given = taught.settings()

    first = targets_folder(given, [teacher], texts)

    assert first.parent == tmp_path / "distill"
    assert targets_folder(given, [replace(teacher, fingerprint="ff")], texts) != first
    assert targets_folder(given, [teacher], UnlabelledTexts(texts.sentences[1:])) != first
    assert targets_folder(taught.settings(targets="here"), [teacher], texts) == Path("here")


class Counter(SilentWatcher):
    """Keeps what is prepared."""

    def __init__(self) -> None:
        self.prepared: list[tuple[str, int, int, str]] = []

    def prepare(self, what: str, done: int, total: int, units: str) -> None:
        """Keep it."""
        self.prepared.append((what, done, total, units))


def test_a_watcher_is_told_how_far_the_targets_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher, texts = both()
    n_sentences = len(texts.sentences)
    monkeypatch.setattr(targets, "BLOCK", n_sentences - 1)
    counter = Counter()

    with telling_preparation(counter):
        compute_targets(tmp_path, [teacher], texts)

    assert [done for _, done, _, _ in counter.prepared] == [0, n_sentences - 1, n_sentences]
    assert {each[2:] for each in counter.prepared} == {(n_sentences, "sentences")}
    with telling_preparation(SilentWatcher()):  # which does not want to know
        compute_targets(tmp_path / "again", [teacher], texts)
