"""What does `linnet convert` say about what it carries, repairs and loses?"""

import json
from pathlib import Path

import pytest

from linnet.formats.corpus import read_corpus
from tests.cli.running import run, write

RICH = {
    "id": "d1",
    "text": "Aspirin for pain.",
    "spans": [
        {"id": "T1", "start": 0, "end": 7, "label": "Chemical", "links": [{"identifier": "D001241"}], "score": 0.5},
        {"id": "T2", "start": 12, "end": 16, "label": "Disease"},
    ],
    "relations": [
        {"label": "treats", "arguments": [{"role": "subject", "span": "T1"}, {"role": "object", "span": "T2"}]}
    ],
}


@pytest.fixture
def rich(tmp_path: Path) -> Path:
    """A document with more than rows of tags can hold."""
    return write(tmp_path / "rich.jsonl", json.dumps(RICH) + "\n")


def test_format_that_cannot_hold_everything_is_refused_with_the_list(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.tsv"

    done = run(capsys, "convert", rich, target)

    assert done.code == 2
    assert done.out == ""
    for lost in ("concept ids: 1", "scores of mentions: 1", "relations: 1", "--lossy", "jsonl"):
        assert lost in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["rich.jsonl"]


def test_accepted_loss_is_written_and_listed(rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.tsv"

    done = run(capsys, "convert", rich, target, "--lossy", "--json")

    assert done.code == 0
    found = json.loads(done.out)
    assert (found["documents"], found["mentions"], found["relations"]) == (1, 2, 1)
    assert found["lost"]["concept ids"] == 1
    assert "lost: concept ids: 1" in done.err
    assert "lost: relations: 1" in done.err
    assert target.read_text(encoding="utf-8").splitlines()[2:4] == ["Aspirin\tB-Chemical", "for\tO"]


def test_conversion_without_loss_says_what_was_carried(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy.jsonl"

    done = run(capsys, "convert", rich, target)

    assert done.out == f"{target}: 1 document, 2 mentions, 1 relation\n"
    assert done.err == ""
    assert json.loads(target.read_text(encoding="utf-8"))["relations"] == RICH["relations"]


def test_repair_says_how_many_tags_and_where_the_first_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.tsv", 3 * "a\tB-X\n\n" + "b\tO\nc\tI-X\nd\tI-Y\n")

    done = run(capsys, "convert", source, tmp_path / "out.jsonl", "--repair", "--json")

    assert json.loads(done.out)["repaired"] == {"tags read as the conlleval script reads them": 2}
    assert done.err == f"note: tags read as the conlleval script reads them: 2 (first: {source}:8)\n"


def test_corpus_folder_keeps_its_splits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("train", "dev", "test"):
        write(tmp_path / "corpus" / f"{name}.tsv", f"{name}\tB-X\n")

    done = run(capsys, "convert", tmp_path / "corpus", tmp_path / "out", "--to", "jsonl", "--json")

    assert json.loads(done.out)["documents"] == 3
    assert list(read_corpus(tmp_path / "out").splits) == ["train", "devel", "test"]


def test_the_corpus_that_comes_with_linnet_is_converted_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "convert", "demo", tmp_path / "rows", "--to", "conll", "--lossy", "--limit", 2)

    assert "rows: 6 documents (train 2, devel 2, test 2), " in done.out
    run(capsys, "convert", "demo", tmp_path / "rows", "--to", "conll", "--lossy", "--overwrite")
    assert sorted(path.name for path in (tmp_path / "rows").iterdir()) == ["devel.tsv", "test.tsv", "train.tsv"]
    assert read_corpus(tmp_path / "rows").test.counts == read_corpus("demo").test.counts


@pytest.mark.parametrize("tagging", ["io", "iob1", "iob2", "iobes", "bilou"])
def test_rows_are_written_in_the_tagging_asked_for(
    tagging: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "in.tsv", "a\tB-X\nb\tI-X\nc\tO\nd\tB-X\n")
    expected = {"io": "I I O I", "iob1": "I I O I", "iob2": "B I O B", "iobes": "B E O S", "bilou": "B L O U"}

    done = run(capsys, "convert", source, tmp_path / "out.tsv", "--to-tagging", tagging)

    assert done.code == 0
    rows = (tmp_path / "out.tsv").read_text(encoding="utf-8").split("\n")
    assert " ".join(row.split("\t")[1][0] for row in rows if row) == expected[tagging]


def test_bare_tags_get_the_label_that_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.tsv", "a\tB\nb\tI\nc\tO\n")

    run(capsys, "convert", source, tmp_path / "out.jsonl", "--label", "Gene")

    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["spans"][0]["label"] == "Gene"


def test_labels_are_kept_and_renamed_with_counts_on_standard_error(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--keep-labels", "Disease", "--map", "Disease=Disorder")

    done = run(capsys, "convert", rich, tmp_path / "out.jsonl", *given, "--json")

    found = json.loads(done.out)
    assert (found["mentions"], found["relations"]) == (1, 0)
    assert (found["dropped"], found["renamed"], found["dropped_relations"]) == (
        {"Chemical": 1},
        {"Disease=Disorder": 1},
        1,
    )
    assert "note: mentions of Chemical left out: 1" in done.err
    assert "note: relations left out with their mentions: 1" in done.err


def test_an_unknown_label_ends_with_code_two(rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "convert", rich, tmp_path / "out.jsonl", "--keep-labels", "Gene")

    assert done.code == 2
    assert "there is no label 'Gene'" in done.err
    assert "the labels are Chemical, Disease" in done.err


def test_an_existing_output_is_replaced_only_on_request(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = write(tmp_path / "out.jsonl", "precious")

    refused = run(capsys, "convert", rich, target)
    assert (refused.code, refused.out) == (2, "")
    assert "out.jsonl: exists already" in refused.err
    assert "`--overwrite`" in refused.err
    assert target.read_text(encoding="utf-8") == "precious"

    assert run(capsys, "convert", rich, target, "--overwrite").code == 0
    assert "Aspirin" in target.read_text(encoding="utf-8")


def test_mentions_below_a_confidence_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spans = [
        {"start": n, "end": n + 1, "label": label, "score": score}
        for n, (label, score) in enumerate([("Gene", 0.92), ("Gene", 0.97), ("Cell", 0.92)])
    ]
    source = write(tmp_path / "in.jsonl", json.dumps({"id": "1", "text": "abc", "spans": spans}) + "\n")

    done = run(capsys, "convert", source, tmp_path / "o.jsonl", "--min-score", "0.9", "--min-score", "Gene=0.95")
    refused = run(capsys, "convert", source, tmp_path / "p.jsonl", "--min-score", "90")

    found = json.loads((tmp_path / "o.jsonl").read_text(encoding="utf-8"))["spans"]
    assert (done.code, [(span["label"], span["score"]) for span in found]) == (0, [("Gene", 0.97), ("Cell", 0.92)])
    assert "note: mentions of Gene with less confidence left out: 1" in done.err
    assert (refused.code, "--min-score: confidence is from 0 to 1, found 90\n" in refused.err) == (2, True)


def test_the_format_of_a_suffix_that_may_mean_another_is_noted(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = run(capsys, "convert", rich, tmp_path / "out.txt", "--lossy")
    named = run(capsys, "convert", rich, tmp_path / "named.txt", "--lossy", "--to", "conll")

    assert f"note: {tmp_path / 'out.txt'}: written as conll, by its suffix; `--to` names another format" in plain.err
    assert (plain.code, named.code, "by its suffix" in named.err) == (0, 0, False)
