"""Estimates of a job: from a sample, without writing, and right where the whole input is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.annotate import annotate_path, collect_settings
from linnet.annotation.estimating import estimate as estimating
from linnet.annotation.estimating import memory
from linnet.annotation.estimating.estimate import estimate
from linnet.annotation.estimating.job_estimate import Estimate
from linnet.errors import BadFile, BadSetting
from tests import tiny

MEGABYTE = 10**6
TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(6, 5)]


def write_jsonl(path: Path, n_documents: int) -> Path:
    rows = [json.dumps({"id": f"{path.stem}-{n:04}", "text": TEXTS[n % 6]}) for n in range(n_documents)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def estimate_job(source: Path, output: Path, cores: int | None = None, **settings: Any) -> Estimate:
    return estimate(collect_settings(source, model=tiny.trained(), output=output, **settings), cores=cores)


def test_a_small_input_is_counted_exactly_and_nothing_is_written(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", 12)

    found = estimate_job(source, tmp_path / "out.jsonl", cores=4)
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]
    done = annotate_path(source, model=tiny.trained(), output=tmp_path / "out.jsonl")

    assert (found.documents, found.words, found.is_whole, found.cores) == (done.documents, done.tokens, True, 4)
    assert found.output_bytes == {str(tmp_path / "out.jsonl"): (tmp_path / "out.jsonl").stat().st_size}
    assert found.hours == pytest.approx(found.words / found.words_per_second / 4 / 3600)
    assert 0 < found.work_bytes < sum(found.output_bytes.values())


def test_a_sample_stands_for_a_large_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "MOST_READ", 400)
    monkeypatch.setattr(estimating, "MOST_ANNOTATED", 12)
    (tmp_path / "in").mkdir()
    for number in range(4):
        write_jsonl(tmp_path / "in" / f"{number}.jsonl", 3000)

    found = estimate_job(tmp_path / "in", tmp_path / "out.jsonl")

    assert not found.is_whole
    assert found.documents == pytest.approx(12_000, rel=0.1)
    assert (found.sample_documents, found.annotated_documents) == (400, 12)
    assert "about" in found.sentences()[0]


def test_files_of_a_sample_are_spread_over_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimating, "MOST_FILES", 3)
    for number in range(9):
        (tmp_path / f"{number}.txt").write_text(TEXTS[0], encoding="utf-8")

    found = estimate_job(tmp_path, tmp_path / "out" / "out.jsonl")

    assert (found.sample_documents, found.documents, found.is_whole) == (3, 9, False)


def test_a_limit_bounds_the_estimate(tmp_path: Path) -> None:
    found = estimate_job(write_jsonl(tmp_path / "in.jsonl", 12), tmp_path / "out.jsonl", limit=5)

    assert found.documents == 5


def test_every_output_has_its_size_and_workers_their_memory(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", 6)

    one = estimate_job(source, tmp_path / "a.jsonl", cores=3)
    many = estimate(
        collect_settings(
            source, model=tiny.trained(), output=[tmp_path / "a.jsonl", tmp_path / "b.pubtator"], ray="auto"
        ),
        cores=3,
    )

    assert list(many.output_bytes) == [str(tmp_path / "a.jsonl"), str(tmp_path / "b.pubtator")]
    assert one.memory_bytes is not None
    assert many.memory_bytes is not None
    assert many.memory_bytes > 2 * one.memory_bytes


def test_what_has_no_size_is_refused() -> None:
    with pytest.raises(BadSetting, match="needs to know the size of the input"):
        estimate_job(Path("-"), Path("out.jsonl"))


def test_failures_of_the_sample_are_counted_and_an_input_of_failures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("broken\n", encoding="utf-8")
    good = write_jsonl(tmp_path / "in.jsonl", 2)
    good.write_text(good.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")

    found = estimate_job(good, tmp_path / "out.jsonl")

    assert (found.documents, found.failures) == (2, 1)
    assert "1 document of the sample cannot be read" in found.sentences()[-1]
    assert "in.jsonl:3: broken JSON" in found.sentences()[-1]
    with pytest.raises(BadFile, match=r"no document of the sample can be read.*bad\.jsonl:1: broken JSON"):
        estimate_job(tmp_path / "bad.jsonl", tmp_path / "out.jsonl")


def test_what_steps_need_is_not_counted_for_each_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([100 * MEGABYTE, 150 * MEGABYTE, 400 * MEGABYTE])  # before, of the model, with a vocabulary
    mapped = iter([50 * MEGABYTE, 250 * MEGABYTE])
    monkeypatch.setattr(memory, "measure_peak", lambda: next(peaks))
    monkeypatch.setattr(estimating, "measure_peak", lambda: next(peaks))
    monkeypatch.setattr(estimating, "measure_mapped", lambda: next(mapped))

    found = estimate_job(write_jsonl(tmp_path / "in.jsonl", 6), tmp_path / "out.jsonl", cores=3, link=["demo"])

    assert found.memory_bytes == pytest.approx(1.3 * (400 + 2 * 50) * MEGABYTE, rel=1e-4)
    assert found.mapped_bytes == 200 * MEGABYTE
    assert "(200 MB of it mapped from vocabularies, once for all processes)" in found.sentences()[1]
