"""Several outputs of one job: the bytes of separate jobs, resumed together, and never in each other's way."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation import blocks
from linnet.annotation.annotate import annotate_path, collect_settings
from linnet.annotation.other_outputs import describe_outputs
from linnet.annotation.output import Output
from linnet.annotation.work import Work
from linnet.errors import BadFile, BadSetting
from tests import tiny

TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(5, 5)]
NAMES = ("a.jsonl", "b.pubtator", "c.xml")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return five documents and a line that is none; blocks have two documents."""
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    path = tmp_path / "in.jsonl"
    rows = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(TEXTS)]
    path.write_text("\n".join([*rows, "broken"]) + "\n", encoding="utf-8")
    return path


def annotate_to(source: Path, *outputs: Path, **settings: Any) -> Any:
    return annotate_path(source, model=tiny.trained(), output=outputs, **settings)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_one_job_writes_the_bytes_of_separate_jobs(tmp_path: Path, source: Path) -> None:
    together = annotate_to(source, *(tmp_path / "together" / name for name in NAMES))
    apart = [annotate_path(source, model=tiny.trained(), output=tmp_path / "apart" / name) for name in NAMES]

    assert files_in(tmp_path / "together") == files_in(tmp_path / "apart")
    assert (together.documents, together.failures) == (5, 1)
    assert together.notes == [note for done in apart for note in done.notes]


def test_shards_have_the_format_of_the_suffix_of_their_folder(tmp_path: Path, source: Path) -> None:
    done = annotate_to(source, *(tmp_path / name for name in ("a.xml", "b.pubtator", "c", "d.2026", "e.txt")), shard=3)

    parts = {each.name: sorted(part.name for part in each.glob("part-*")) for each in tmp_path.iterdir()}
    endings = {"a.xml": "xml", "b.pubtator": "pubtator", "c": "jsonl", "d.2026": "jsonl", "e.txt": "tsv"}
    for name, ending in endings.items():
        assert parts[name] == [f"part-00000.{ending}", f"part-00001.{ending}"]
    assert f"{tmp_path / 'e.txt'}: written as conll, by its suffix; `--to` names another format" in done.notes


def test_shards_of_several_formats_are_folders(tmp_path: Path, source: Path) -> None:
    annotate_to(source, tmp_path / "a", tmp_path / "b", shard=3, target_format=("jsonl", "pubtator"))

    found = sorted(files_in(tmp_path / "a") | files_in(tmp_path / "b"))
    assert found == [
        "errors.jsonl",
        "part-00000.jsonl",
        "part-00000.pubtator",
        "part-00001.jsonl",
        "part-00001.pubtator",
    ]


@pytest.mark.parametrize("when", ["annotating", "first is in place"])
def test_a_stopped_job_is_resumed_with_all_its_outputs(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    whole, part = ([tmp_path / folder / name for name in NAMES] for folder in ("whole", "part"))
    annotate_to(source, *whole)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    put_in_place = Output.put_in_place

    def stop_at_second(self: Output, *given: Any) -> None:
        if self.path == part[1]:
            raise KeyboardInterrupt
        put_in_place(self, *given)

    watcher = stop if when == "annotating" else None
    with monkeypatch.context() as patch:
        patch.setattr(Output, "put_in_place", stop_at_second)
        with pytest.raises(KeyboardInterrupt):
            annotate_to(source, *part, watcher=watcher)
    assert part[0].exists() == (when != "annotating")

    annotate_to(source, *part, resume=True)

    assert files_in(tmp_path / "part") == files_in(tmp_path / "whole")


def test_a_job_is_resumed_with_the_same_outputs_only(tmp_path: Path, source: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    first, second, other = (tmp_path / "out" / name for name in NAMES)
    with pytest.raises(KeyboardInterrupt):
        annotate_to(source, first, second, watcher=stop)

    for outputs in ([first], [first, other]):
        with pytest.raises(BadFile, match="holds a job with other settings: other outputs was"):
            annotate_to(source, *outputs, resume=True)
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["a.jsonl.work"]


def test_no_output_is_replaced_without_being_asked_to(tmp_path: Path, source: Path) -> None:
    outputs = [tmp_path / "out" / name for name in NAMES]
    outputs[2].parent.mkdir()
    outputs[2].write_text("years of work", encoding="utf-8")

    with pytest.raises(BadFile, match=r"c\.xml: is there already"):
        annotate_to(source, *outputs)
    assert files_in(tmp_path / "out") == {"c.xml": b"years of work"}

    annotate_to(source, *outputs, overwrite=True)
    assert set(files_in(tmp_path / "out")) == {*NAMES, "errors.jsonl"}


def test_the_interrupted_job_of_another_output_is_replaced_only_when_asked_to(tmp_path: Path, source: Path) -> None:
    outputs = [tmp_path / "out" / name for name in NAMES]

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        annotate_to(source, outputs[1], watcher=stop)

    with pytest.raises(BadFile, match="a job for this output was interrupted"):
        annotate_to(source, *outputs)
    assert Work.beside(outputs[1]).is_begun
    annotate_to(source, *outputs, overwrite=True)
    assert set(files_in(tmp_path / "out")) == {*NAMES, "errors.jsonl"}


@pytest.mark.parametrize(
    ("outputs", "settings", "problem"),
    [
        (["a.jsonl", "a.jsonl"], {}, "is, or lies in, another output"),
        (["a", "a/b"], {"shard": 2}, "is, or lies in, another output"),
        (["a.jsonl.work", "a.jsonl"], {"target_format": ("jsonl", "jsonl")}, "is, or lies in, another output"),
        (["a.jsonl", "b.xml"], {"target_format": "jsonl"}, r"found 1 format \(`--to`\) for 2 outputs"),
        ([], {}, "there is no output"),
    ],
)
def test_outputs_that_do_not_go_together_are_refused(
    tmp_path: Path, outputs: list[str], settings: dict[str, Any], problem: str
) -> None:
    chosen = collect_settings("in.txt", model="m", output=[tmp_path / name for name in outputs], **settings)

    with pytest.raises(BadSetting, match=problem):
        describe_outputs(chosen)


def test_a_limit_annotates_the_first_documents_and_belongs_to_the_job(tmp_path: Path, source: Path) -> None:
    output = tmp_path / "out.jsonl"

    done = annotate_to(source, output, limit=3)

    assert (done.documents, done.failures) == (3, 0)
    assert [json.loads(line)["id"] for line in output.read_text(encoding="utf-8").splitlines()] == ["0", "1", "2"]


def test_an_output_that_is_a_circular_link_is_refused(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    chosen = collect_settings("in.txt", model="m", output=[tmp_path / "a.jsonl", tmp_path / "loop.jsonl"])

    with pytest.raises(BadFile, match=r"loop[.]jsonl: cannot be accessed"):
        describe_outputs(chosen)
