"""Runs and prediction files that are compared without a grid, read on the same sentences."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.comparison.finished.sources import ComparedRuns, name_runs, read_files, read_runs, run_folder_of
from linnet.contracts import Notes, ReadOptions
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.labels.mention import Mention
from linnet.models.model_folder import ModelFacts, OnnxFacts, read_facts, write_facts
from tests.cli.running import write
from tests.comparison.fake_runs import TAGS, finish, planned

TEXT = "No ataxia. BRCA1-mutant cells."


def document(path: Path, *spans: tuple[int, int, str], text: str = TEXT) -> Path:
    listed = [{"start": start, "end": end, "label": label} for start, end, label in spans]
    return write(path, json.dumps({"id": "d1", "text": text, "spans": listed}) + "\n")


def files(
    paths: list[Path], gold: Path | None = None, *, options: ReadOptions | None = None, metric: str | None = None
) -> ComparedRuns:
    return read_files(
        paths, gold=gold, format=None, options=options or ReadOptions(), metric=metric, n_resamples=5, seed=0,
        notes=Notes(),
    )  # fmt: skip


def runs(*folders: Path, metric: str | None = None) -> ComparedRuns:
    return read_runs(folders, metric=metric, n_resamples=5, seed=0)


def finished(folder: Path, *wrong: int, n_sentences: int = 20) -> Path:
    finish(planned(folder), wrong, n_sentences=n_sentences)
    return folder


def test_an_exported_model_is_refused_with_the_way_to_compare_it(tmp_path: Path) -> None:
    run, exported = finished(tmp_path / "a", 0), finished(tmp_path / "b", 0)
    onnx = OnnxFacts(opset=17, int8=True, model_fingerprint="m", file_fingerprint="f", linnet="0")
    write_facts(exported, replace(read_facts(exported), onnx=onnx))

    with pytest.raises(BadFile, match=r"b: is an exported model, which keeps no predictions") as refused:
        runs(run, exported)

    assert "--predictions FILE" in refused.value.remedy


def test_runs_are_read_by_their_task(tmp_path: Path) -> None:
    a, b = finished(tmp_path / "a", 0, 1), finished(tmp_path / "b", 0)

    found = runs(a, b)

    assert [run.score for run in found.outcomes.runs] == pytest.approx([0.90, 0.95])
    assert (found.metric, found.corpus) == ("strict F1", "the same sentences")
    assert runs(a, b, metric="tokens").metric == "token F1"


def test_runs_of_other_gold_are_refused(tmp_path: Path) -> None:
    a, b = finished(tmp_path / "a"), finished(tmp_path / "b", n_sentences=19)

    with pytest.raises(BadFile, match=f"{b}: was scored on other sentences than {a}"):
        runs(a, b)


def test_runs_on_other_words_with_mentions_at_the_same_places_are_refused(tmp_path: Path) -> None:
    a, b = finished(tmp_path / "a"), finished(tmp_path / "b")
    path = b / "predictions-test.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("here", "there"), encoding="utf-8")

    with pytest.raises(BadFile, match="was scored on other sentences"):
        runs(a, b)


def test_runs_of_several_tasks_are_refused(tmp_path: Path) -> None:
    a, b = finished(tmp_path / "a"), finished(tmp_path / "b")
    write_facts(b, ModelFacts(task="relations", tagging="", tags=TAGS, max_length=64))

    with pytest.raises(BadSetting, match=f"{b} is a run of relations, {a} one of ner"):
        runs(a, b)


def test_a_run_that_is_not_finished_is_refused(tmp_path: Path) -> None:
    a, b = finished(tmp_path / "a"), tmp_path / "b"
    write(b / "recipe.toml", (a / "recipe.toml").read_text(encoding="utf-8"))

    with pytest.raises(BadFile, match=str(b)):
        runs(a, b)


def test_run_folders_are_known_by_their_files_and_by_their_predictions(tmp_path: Path) -> None:
    a = finished(tmp_path / "a")

    assert run_folder_of(a) == run_folder_of(a / "predictions-test.tsv") == a
    assert run_folder_of(tmp_path) is None
    assert run_folder_of(tmp_path / "gold.tsv") is None


def test_names_are_as_short_as_they_can_be() -> None:
    assert name_runs([Path("runs/a"), Path("runs/b")]) == ["a", "b"]
    assert name_runs([Path("x/predicted.tsv"), Path("y/predicted.tsv")]) == ["x/predicted.tsv", "y/predicted.tsv"]


def test_files_with_both_columns_need_no_gold(tmp_path: Path) -> None:
    a = write(tmp_path / "a.tsv", "ataxia\tB-X\tB-X\nis\tO\tO\n\nfever\tB-X\tO\n\n")
    b = write(tmp_path / "b.tsv", "ataxia\tB-X\tO\nis\tO\tO\n\nfever\tB-X\tB-X\n\n")

    found = files([a, b])

    assert [run.right.tolist() for run in found.outcomes.runs] == [[True, False], [False, True]]
    assert found.outcomes.words == [("ataxia", "is"), ("fever",)]


@pytest.mark.parametrize(
    ("other", "number"),
    [
        ("ataxia\tB-X\tB-X\n\nfever\tO\tO\n\n", 2),
        ("ataxia\tB-X\tB-X\n\npain\tB-X\tO\n\n", 2),
        ("ataxia\tB-X\tB-X\n\n", 2),
        ("ataxia\tB-X\tB-X\n\nfever\tB-X\tO\n\npain\tO\tO\n\n", 3),
    ],
)
def test_files_with_other_gold_or_other_words_are_refused(tmp_path: Path, other: str, number: int) -> None:
    a = write(tmp_path / "a.tsv", "ataxia\tB-X\tB-X\n\nfever\tB-X\tO\n\n")
    b = write(tmp_path / "b.tsv", other)

    with pytest.raises(BadFile, match=f"b.tsv: has other words or other gold tags .*a.tsv, from sentence {number} on"):
        files([a, b])


def test_a_run_can_be_compared_with_a_file(tmp_path: Path) -> None:
    run, other = finished(tmp_path / "run", 0), finished(tmp_path / "other", 1)
    file = tmp_path / "predicted.tsv"
    (other / "predictions-test.tsv").rename(file)

    assert [each.score for each in files([run, file]).outcomes.runs] == pytest.approx([0.95, 0.95])


def test_a_run_without_tags_cannot_be_compared_with_a_file(tmp_path: Path) -> None:
    run = finished(tmp_path / "run")
    (run / "predictions-test.tsv").unlink()

    with pytest.raises(BadFile, match=r"this run keeps no predictions-test\.tsv"):
        files([run, write(tmp_path / "a.tsv", "ataxia\tB-X\tB-X\n\n")])


def test_documents_without_gold_are_refused(tmp_path: Path) -> None:
    a = document(tmp_path / "a.jsonl")

    with pytest.raises(BadFile, match=r"a\.jsonl: holds predictions without gold annotations") as refused:
        files([a, a])
    assert "--gold" in refused.value.remedy


def test_tags_are_compared_with_the_tags_of_a_gold_file(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "ataxia\tB-X\nis\tO\n\n")
    a, b = write(tmp_path / "a.tsv", "ataxia\tB-X\nis\tO\n\n"), write(tmp_path / "b.tsv", "ataxia\tO\nis\tO\n\n")

    found = files([a, b], gold)

    assert [run.score for run in found.outcomes.runs] == [1.0, 0.0]
    assert found.corpus == "gold.tsv"


def test_documents_are_compared_on_sentences_that_no_prediction_crosses(tmp_path: Path) -> None:
    gold = document(tmp_path / "gold.jsonl", (3, 9, "Disease"), (11, 16, "Gene"))
    right = document(tmp_path / "right.jsonl", (3, 9, "Disease"), (11, 16, "Gene"))
    crossing = document(tmp_path / "crossing.jsonl", (3, 16, "Disease"))

    outcomes = files([right, crossing], gold).outcomes

    assert outcomes.n_units == 1
    assert [run.right.tolist() for run in outcomes.runs] == [[True], [False]]


def test_mentions_that_cut_a_word_are_shown_as_they_are(tmp_path: Path) -> None:
    gold = document(tmp_path / "gold.jsonl", (11, 14, "Gene"))
    right, long = document(tmp_path / "a.jsonl", (11, 14, "Gene")), document(tmp_path / "b.jsonl", (11, 16, "Gene"))

    outcomes = files([right, long], gold).outcomes

    assert outcomes.words[1][:3] == ("BRC", "A1", "-")
    assert outcomes.gold[1] == outcomes.runs[0].predicted[1] == (Mention(0, 1, "Gene"),)
    assert outcomes.runs[1].predicted[1] == (Mention(0, 2, "Gene"),)


def test_documents_of_other_text_are_refused(tmp_path: Path) -> None:
    gold, a = document(tmp_path / "gold.jsonl"), document(tmp_path / "a.jsonl")
    b = document(tmp_path / "b.jsonl", text="Another text.")

    with pytest.raises(BadFile, match=r"document 'd1': the texts differ .*b\.jsonl"):
        files([a, b], gold)


def test_a_metric_that_is_not_there_is_refused(tmp_path: Path) -> None:
    a = write(tmp_path / "a.tsv", "ataxia\tB-X\tB-X\n\n")

    with pytest.raises(UnknownName, match="stirct"):
        files([a, a], metric="stirct")
