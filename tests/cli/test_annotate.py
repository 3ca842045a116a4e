"""`linnet annotate`: from texts or documents to mentions with offsets and scores."""

import io
import json
import sys
from pathlib import Path

import pytest

from linnet.formats.corpus import read_corpus
from tests import tiny
from tests.cli.running import run
from tests.embedded import infons, stand_in, without_models
from tests.tasks.linking.sources import build

TEXT = "cystic fibrosis was treated with folic acid ."


def annotated(path: Path) -> list[list[tuple[str, str]]]:
    """Return the mentions of each document of a jsonl file, checked against their offsets."""
    documents = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(0 < span["score"] <= 1 for document in documents for span in document["spans"])
    return [
        [(document["text"][span["start"] : span["end"]], span["label"]) for span in document["spans"]]
        for document in documents
    ]


FOUND = [("cystic fibrosis", "Disease"), ("folic acid", "Chemical")]


def test_a_text_is_annotated_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = run(capsys, "annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.jsonl")

    assert (done.code, done.err) == (0, "")
    assert f"{tmp_path / 'out.jsonl'}: 1 document, 2 mentions" in done.out
    assert annotated(tmp_path / "out.jsonl") == [FOUND]


def test_mentions_are_linked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    folder = build(tmp_path, "id\tname\nmesh:D003550\tCystic Fibrosis\nmesh:D005492\tFolic Acid\n").folder

    done = run(
        capsys, "annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.jsonl",
        "--link", f"Disease={folder}", "--candidates", 1,
    )  # fmt: skip

    document = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    disease, chemical = document["spans"]
    assert "1 document, 2 mentions (1 linked)" in done.out
    assert disease["links"] == [
        {"identifier": "mesh:D003550", "database": "MESH", "name": "Cystic Fibrosis", "score": 1.0}
    ]
    assert "links" not in chemical
    assert document["infons"].keys() == {"model", "annotated_by", "vocabulary", "linked_by"}


def test_names_of_a_vocabulary_are_found_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text("Cystic fibrosis (CF) is rare. CF is severe.", encoding="utf-8")
    folder = build(tmp_path, "id\tname\nmesh:D003550\tCystic Fibrosis\n").folder

    done = run(
        capsys, "annotate", tmp_path / "in.txt", "--model", f"vocabulary:Disease={folder}",
        "--output", tmp_path / "out.jsonl",
    )  # fmt: skip

    document = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert (done.code, done.err) == (0, "")
    assert [span["text"] for span in document["spans"]] == ["Cystic fibrosis", "CF", "CF"]
    assert {span["links"][0]["identifier"] for span in document["spans"]} == {"mesh:D003550"}
    assert document["infons"]["model"].startswith("Disease=")
    assert document["infons"]["annotated_by"].endswith("model names of vocabulary")


def test_names_are_added_to_the_mentions_of_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(f"{TEXT} A new fever (NF) came. NF went.", encoding="utf-8")
    folder = build(tmp_path, "id\tname\nmesh:D1\tNew fever\n").folder
    command = ("annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.jsonl")

    run(capsys, *command, "--also-names", f"Fever={folder}", "--same-abbreviations")

    document = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    added = [span["text"] for span in document["spans"] if span["label"] == "Fever"]
    assert added[0] == "new fever"
    assert document["infons"]["names"].startswith("Fever=")
    assert "same abbreviations" in document["infons"]["annotated_by"]


def test_json_is_one_object_and_notes_go_to_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(f"{TEXT}\n\n{TEXT}\n", encoding="utf-8")

    done = run(
        capsys, "annotate", tmp_path / "in.txt", "--from", "lines", "--model", tiny.trained(),
        "--output", tmp_path / "out.tsv", "--threads", 1, "--json",
    )  # fmt: skip

    found = json.loads(done.out)
    assert (found["documents"], found["mentions"], found["tokens"]) == (2, 4, 16)
    assert found["seconds"] > 0
    assert found["tokens_per_second"] > 0
    assert "note: conll cannot hold scores of mentions: 4 left out" in done.err


def test_standard_input_is_annotated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{TEXT}\r\n{TEXT}".encode())))

    done = run(capsys, "annotate", "-", "--from", "lines", "--model", tiny.trained(), "--output", tmp_path / "o.jsonl")

    assert done.code == 0
    assert annotated(tmp_path / "o.jsonl") == [FOUND, FOUND]


@pytest.mark.long
def test_the_corpus_that_comes_with_linnet_is_annotated_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "annotate", "demo", "--model", tiny.trained(), "--output", tmp_path / "o.jsonl")

    assert done.code == 0
    splits = read_corpus("demo").splits.values()
    assert len(annotated(tmp_path / "o.jsonl")) == sum(len(split.documents) for split in splits)


def test_a_corpus_file_is_annotated_into_another_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(
        capsys, "annotate", tiny.corpus() / "test.tsv", "--model", tiny.trained(), "--output", tmp_path / "brat",
        "--to", "brat",
    )  # fmt: skip

    assert done.code == 0
    assert len(list((tmp_path / "brat").glob("*.ann"))) == 8
    assert "note: mentions of the input, replaced by predicted ones" in done.err


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("none.txt", (), "none.txt: there is no such file or folder"),
        ("in.txt", ("--to", "brta"), "did you mean 'brat'"),
        ("in.txt", ("--model", "nowhere"), "nowhere: there is no such model folder"),
        ("in.txt", ("--output", "out.xyz"), "does not say which format to write"),
    ],
)
def test_what_cannot_be_done_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, options: tuple[str, ...], message: str
) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = run(
        capsys, "annotate", tmp_path / source, "--model", tiny.trained(), "--output", tmp_path / "out.jsonl", *options
    )

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_several_outputs_are_written_in_one_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(f"{TEXT}\n{TEXT}\n", encoding="utf-8")

    done = run(
        capsys, "annotate", tmp_path / "in.txt", "--from", "lines", "--model", tiny.trained(), "--limit", 1,
        "--output", tmp_path / "a.jsonl", "--output", tmp_path / "b.pubtator",
    )  # fmt: skip

    assert done.code == 0
    assert f"{tmp_path / 'a.jsonl'}, {tmp_path / 'b.pubtator'}: 1 document, 2 mentions" in done.out
    assert annotated(tmp_path / "a.jsonl") == [FOUND]
    assert "folic acid" in (tmp_path / "b.pubtator").read_text(encoding="utf-8")


def test_speed_is_in_words_and_a_text_file_is_said_to_be_conll(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = run(capsys, "annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.txt")

    assert done.out.endswith(" words/s\n")
    assert "out.txt: written as conll, by its suffix" in done.err


def test_a_dry_run_estimates_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    job = ("annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.jsonl")

    told = run(capsys, *job, "--dry-run", "--cores", 8)
    found = json.loads(run(capsys, *job, "--dry-run", "--json").out)
    refused = run(capsys, *job, "--cores", 8)

    assert told.out.startswith("input: 1 document, about 8 words\ntime: less than a minute on 8 cores")
    assert (found["documents"], found["words"], found["sample"]["is_whole_input"]) == (1, 8, True)
    assert (refused.code, "add `--dry-run`" in refused.err) == (2, True)
    assert [each.name for each in tmp_path.iterdir()] == ["in.txt"]


def test_without_a_model_the_embedded_one_annotates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, tmp_path / "root")
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = run(capsys, "annotate", tmp_path / "in.txt", "--output", tmp_path / "out.jsonl", "--json")
    named = run(capsys, "annotate", tmp_path / "in.txt", "--model", "bio", "--output", tmp_path / "same.jsonl")

    assert (done.code, named.code) == (0, 0)
    assert json.loads(done.out)["model"] == "bio 0.9.1"
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "same.jsonl").read_bytes()


def test_without_any_model_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_models(monkeypatch, tmp_path / "root")
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = run(capsys, "annotate", tmp_path / "in.txt", "--output", tmp_path / "out.jsonl")

    assert (done.code, "has no embedded model 'bio'" in done.err) == (2, True)
    assert not (tmp_path / "out.jsonl").exists()


def test_mentions_below_a_threshold_are_left_out_and_the_output_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    job = ("annotate", tmp_path / "in.txt", "--model", tiny.trained())

    none = run(capsys, *job, "--output", tmp_path / "none.jsonl", "--min-score", 1)
    some = run(capsys, *job, "--output", tmp_path / "some.jsonl", "--min-score", "Chemical=1")
    unknown = run(capsys, *job, "--output", tmp_path / "x.jsonl", "--min-score", "Gene=0.5")

    assert (none.code, some.code, unknown.code) == (0, 0, 2)
    assert "spans" not in json.loads((tmp_path / "none.jsonl").read_text(encoding="utf-8"))
    assert annotated(tmp_path / "some.jsonl") == [FOUND[:1]]
    assert infons(tmp_path / "some.jsonl")["annotated_by"].endswith("; min score Chemical=1")
    assert "names Gene, which the model does not find" in unknown.err


def test_only_some_labels_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    command = ("annotate", tmp_path / "in.txt", "--model", tiny.trained(), "--output", tmp_path / "out.jsonl")

    refused = run(capsys, *command, "--keep-labels", "Disease,Gene", "--dry-run")
    done = run(capsys, *command, "--keep-labels", "Chemical")

    assert refused.code == 2
    assert "--keep-labels names 'Gene', which the job does not find" in refused.err
    assert (done.code, annotated(tmp_path / "out.jsonl")) == (0, [FOUND[1:]])
