"""The command `linnet score`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.pages import Elements

ROWS = "ataxia\tB-Disease\nis\tO\nrare\tO\n\naspirin\tB-Chemical\n\n"


def test_a_file_scored_against_itself_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold, "--json")

    found = json.loads(done.out)
    assert done.code == 0
    assert (found["strict"]["micro"]["f1"], found["mentions"], found["sentences"]) == (1.0, 2, 2)


def test_tables_show_every_matching(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold)

    assert all(name in done.out for name in ("strict", "conll", "partial", "fair", "Disease"))


def test_a_file_of_documents_makes_them_the_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, documents = tmp_path / "gold.tsv", tmp_path / "documents.txt"
    gold.write_text(ROWS * 6, encoding="utf-8")
    documents.write_text("".join(f"{number // 2}\n" for number in range(12)), encoding="utf-8")

    usual = run(capsys, "score", gold, gold)
    found = run(capsys, "score", gold, gold, "--documents", documents)
    refused = run(capsys, "score", gold, gold, "--resample", "documents")

    assert "over 12 sentences; the file has no documents: the interval is probably too narrow" in usual.out
    assert "95 % intervals over 6 documents\n" in found.out
    assert (refused.code, "--documents FILE" in refused.err) == (2, True)


def test_a_report_has_the_error_page_and_the_list_of_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, right = "No ataxia. Aspirin helps.", {"start": 3, "end": 9, "label": "Disease"}
    short = {"start": 11, "end": 15, "label": "Chemical", "score": 0.4}
    sides = {"gold": [right, {**short, "end": 18}], "predicted": [right, short]}
    for name, spans in sides.items():
        line = json.dumps({"id": "d1", "text": text, "spans": spans})
        (tmp_path / f"{name}.jsonl").write_text(line + "\n", encoding="utf-8")

    files = (tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl")
    done = run(capsys, "score", *files, "--report", tmp_path / "page")

    assert done.code == 0
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert content["title"] == "predicted.jsonl against gold.jsonl"
    assert content["sentences"][1][4] == [[0, 4, 0, 0.4]]
    header, row = (tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()
    found = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert (found["document"], found["start"], found["end"], found["confidence"]) == ("d1", "11", "18", "0.4000")


def test_a_report_of_one_file_with_both_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = tmp_path / "both.tsv"
    both.write_text("ataxia\tB-X\tO\nis\tO\tO\n\n", encoding="utf-8")

    done = run(capsys, "score", both, "--report", tmp_path / "page", "--json")

    assert done.code == 0
    assert json.loads(done.out)["mentions"] == 1
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert (content["title"], content["details"][0]) == ("both.tsv", ["gold", str(both)])
    assert len((tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()) == 2


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold, "--report", gold)

    assert (done.code, done.out) == (2, "")
    assert "gold.tsv" in done.err


def documents(path: Path, *labels: str) -> Path:
    """Write a document whose words are mentions with these labels, each with the same confidence."""
    spans = [{"start": 2 * n, "end": 2 * n + 1, "label": label, "score": 0.5} for n, label in enumerate(labels)]
    path.write_text(json.dumps({"id": "d1", "text": "a b c d", "spans": spans}) + "\n", encoding="utf-8")
    return path


def test_files_without_a_common_label_are_refused_with_the_map_to_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted = documents(tmp_path / "gold.jsonl", "DISEASE"), documents(tmp_path / "p.jsonl", "Disease", "Gene")

    refused = run(capsys, "score", gold, predicted)
    mapped = run(capsys, "score", gold, predicted, "--map", "Disease=DISEASE", "--json", "--report", tmp_path / "page")

    assert (refused.code, refused.out) == (2, "")
    assert f"{predicted} (Disease, Gene) and gold file (DISEASE) have no label in common" in refused.err
    assert "e.g. `--map Disease=DISEASE`" in refused.err
    assert mapped.code == 0
    found = json.loads(mapped.out)
    assert (found["strict"]["micro"]["f1"], found["mapping"]["only_model"]) == (1.0, {"Gene": 1})
    assert "not scored: Gene (1 predicted mention)" in mapped.err
    assert len((tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()) == 1


def test_labels_that_gold_does_not_have_are_noted_with_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted = documents(tmp_path / "gold.jsonl", "Disease"), documents(tmp_path / "p.jsonl", "Disease", "Gene")

    done = run(capsys, "score", gold, predicted, "--json")
    mapped = run(capsys, "score", gold, predicted, "--json", "--map", "Disease=Disease")

    assert "mentions predicted as Gene, which gold does not have, counted as wrong; `--keep-labels Dis" in done.err
    assert json.loads(done.out)["strict"]["micro"]["precision"] == 0.5
    assert json.loads(mapped.out)["strict"]["micro"]["precision"] == 1.0


def test_one_label_is_scored_on_both_sides_and_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = ("Disease", "Chemical")
    gold, predicted = documents(tmp_path / "gold.jsonl", *both), documents(tmp_path / "p.jsonl", *both, "Gene")

    done = run(capsys, "score", gold, predicted, "--json", "--keep-labels", "Disease", "--report", tmp_path / "page")

    found = json.loads(done.out)
    assert found["strict"]["labels"].keys() == {"Disease"}
    assert found["strict"]["micro"]["predicted"] == found["strict"]["micro"]["gold"] == 1
    assert "`--keep-labels` leaves out, not scored: Chemical (1 predicted mention), Gene (1 predicted" in done.err
    assert len((tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()) == 1


def test_documents_that_both_files_have_are_scored_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, predicted = documents(tmp_path / "gold.jsonl", "X"), documents(tmp_path / "p.jsonl", "X")
    with gold.open("a", encoding="utf-8") as file:
        file.write('{"id": "d2", "text": "never decided"}\n')

    refused = run(capsys, "score", gold, predicted)
    done = run(capsys, "score", gold, predicted, "--common-documents", "--json", "--report", tmp_path / "page")
    rows = run(capsys, "score", write_rows(tmp_path / "rows.tsv"), "--common-documents")

    assert (refused.code, "or add `--common-documents`" in refused.err) == (2, True)
    assert json.loads(done.out)["sentences"] == 1
    assert f"note: documents of {gold} that {predicted} does not have, left out: 1 (first: d2)" in done.err
    assert (tmp_path / "page" / "index.html").is_file()
    assert (rows.code, "is for files of documents" in rows.err) == (2, True)


def write_rows(path: Path) -> Path:
    path.write_text(ROWS, encoding="utf-8")
    return path
