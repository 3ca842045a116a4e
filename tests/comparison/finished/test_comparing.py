"""Finished runs are compared with the first: scores, paired test, agreement and disagreements."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.comparison.finished.comparing import as_dict, compare_runs, result_tables
from linnet.comparison.outcomes import read_outcomes
from linnet.comparison.page import write_comparison_page
from linnet.comparison.results import Results
from linnet.errors import BadFile, BadSetting
from linnet.metrics.statistics.hierarchical import paired_difference
from tests.browser import OpenPage
from tests.comparison.fake_runs import finish, planned


def three_runs(folder: Path) -> list[Path]:
    """Return runs with 4, 1 and 0 wrong sentences of 20."""
    for name, wrong in (("a", (0, 1, 2, 3)), ("b", (0,)), ("c", ())):
        finish(planned(folder / name), wrong)
    return [folder / name for name in "abc"]


def compared(folder: Path) -> Results:
    return compare_runs(three_runs(folder), n_resamples=50)


def test_each_run_is_compared_with_the_first(tmp_path: Path) -> None:
    results = compared(tmp_path)

    assert [cell.mean for cell in results.cells] == pytest.approx([0.8, 0.95, 1.0])
    assert [cell.is_baseline for cell in results.cells] == [True, False, False]
    assert [each.choice["run"] for each in results.comparisons] == ["b", "c"]
    assert [each.difference for each in results.comparisons] == pytest.approx([0.15, 0.2])
    assert results.comparisons[0].sentence.endswith("; one run of each, so nothing is known about other seeds.")


def test_the_test_is_that_of_grids(tmp_path: Path) -> None:
    results = compared(tmp_path)

    runs = [planned(tmp_path / "a", loss={"scheme": "none"}), planned(tmp_path / "b", loss={"scheme": "welt"})]
    outcomes = read_outcomes(runs, metric="strict", n_resamples=50, seed=0)
    paired = outcomes.pair(runs[0].choice, runs[1].choice)
    assert paired is not None
    wanted = paired_difference(*paired[1], n_units=20)
    found = results.comparisons[0]
    assert (found.low, found.high, found.p_value) == (wanted.low, wanted.high, wanted.p_value)
    assert found.family_size == 2


def test_agreement_and_disagreements_are_those_of_the_sentences(tmp_path: Path) -> None:
    pair, _ = compared(tmp_path).pairs

    assert (pair.both_right, pair.only_baseline_right, pair.only_choice_right, pair.both_wrong) == (16, 0, 3, 1)
    assert [sentence.words[0] for sentence in pair.sentences] == ["ataxia1", "ataxia2", "ataxia3"]


def test_tables_have_scores_and_agreement(tmp_path: Path) -> None:
    scores, agreement = result_tables(compared(tmp_path))

    assert scores.columns == ("run", "strict F1", "precision", "recall", "change", "95 % interval", "Holm p", "verdict")
    assert scores.rows[0] == ("a", "80.00", "80.00", "80.00", "", "", "", "baseline")
    assert scores.rows[1][:5] == ("b", "95.00", "95.00", "95.00", "+15.00")
    assert agreement.rows == (("b", "16", "0", "3", "1"), ("c", "16", "0", "4", "0"))


def test_plain_values_are_json(tmp_path: Path) -> None:
    found = json.loads(json.dumps(as_dict(compared(tmp_path)), allow_nan=False))

    assert (found["metric"], found["baseline"]) == ("strict F1", "a")
    assert [run["name"] for run in found["runs"]] == ["a", "b", "c"]
    assert found["runs"][1]["labels"] == {"X": 0.95}
    assert found["comparisons"][0]["run"] == "b"
    assert found["comparisons"][0]["agreement"] == {
        "both_right": 16,
        "only_baseline_right": 0,
        "only_run_right": 3,
        "both_wrong": 1,
    }


def test_one_run_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"only .*a is given"):
        compare_runs(three_runs(tmp_path)[:1])


def test_a_run_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    a, b, _ = three_runs(tmp_path)

    with pytest.raises(BadSetting, match="is given twice"):
        compare_runs([a, b, a / "predictions-test.tsv"])


def test_the_settings_that_differ_are_shown(tmp_path: Path, open_page: OpenPage) -> None:
    finish(planned(tmp_path / "a"), (0, 1))
    finish(planned(tmp_path / "b", optimiser={"learning_rate": 1e-4, "dropout": 0.2}), fingerprints={"train": "other"})

    results = compare_runs([tmp_path / "a", tmp_path / "b"], n_resamples=50)

    data = "fingerprint of the training data"
    table = result_tables(results)[-1]
    assert (table.title, table.columns) == ("settings that differ", ("setting", "a", "b"))
    assert table.rows == ((data, "demo", "other"), ("learning_rate", "0.0003", "0.0001"), ("dropout", "not set", "0.2"))
    assert as_dict(results)["settings"] == {
        data: {"a": "demo", "b": "other"},
        "learning_rate": {"a": 3e-4, "b": 1e-4},
        "dropout": {"a": None, "b": 0.2},
    }
    page = write_comparison_page(results, tmp_path / "page").parent
    assert "learning_rate 0.0003 | 0.0001; dropout not set | 0.2" in open_page(page).text("#details")


def test_runs_with_the_same_settings_have_no_table_of_them(tmp_path: Path) -> None:
    results = compared(tmp_path)

    assert [table.title for table in result_tables(results)][1:] == ["sentences or texts that are wholly right"]
    assert as_dict(results)["settings"] == {}
    assert "settings that differ" not in results.details


def test_runs_are_compared_on_devel_on_request(tmp_path: Path) -> None:
    for name, wrong, wrong_on_devel in (("a", (0, 1), ()), ("b", (), (0, 1, 2))):
        finish(planned(tmp_path / name), wrong_on_devel, split="devel")
        finish(planned(tmp_path / name), wrong)
    folders = [tmp_path / "a", tmp_path / "b"]

    on_test, on_devel = (compare_runs(folders, n_resamples=50, on=on) for on in (None, "devel"))

    assert [cell.mean for cell in on_test.cells] == pytest.approx([0.9, 1.0])
    assert [cell.mean for cell in on_devel.cells] == pytest.approx([1.0, 0.85])
    assert on_devel.metric == "strict F1 on devel"
    assert on_devel.place_axes == ("devel set",)
    assert "(devel)" in on_devel.comparisons[0].sentence
    assert "report the score of the chosen one on test, once" in on_devel.notes[0]
    assert [as_dict(each)["split"] for each in (on_test, on_devel)] == ["test", "devel"]
    assert sum(each.gold != each.predicted for each in on_devel.sentences["b"]) == 3


def test_a_split_that_cannot_be_compared_on_is_refused(tmp_path: Path) -> None:
    folders = three_runs(tmp_path)[:2]
    files = [folder / "predictions-test.tsv" for folder in folders]

    with pytest.raises(BadFile, match=r"predictions-devel.tsv: there is no such file"):
        compare_runs(folders, on="devel")
    with pytest.raises(BadSetting, match=r"--on train: there is no such split"):
        compare_runs(folders, on="train")
    with pytest.raises(BadSetting, match=r"--on devel is for run folders, .*predictions-test.tsv is a file"):
        compare_runs(files, on="devel")
    with pytest.raises(BadSetting, match=r"--on test is for run folders, .*with `--gold`, files are compared"):
        compare_runs(folders, on="test", gold=files[0])


def test_the_page_speaks_of_runs_and_not_of_seeds(tmp_path: Path, open_page: OpenPage) -> None:
    write_comparison_page(compared(tmp_path), tmp_path / "page")

    page = open_page(tmp_path / "page")

    assert "one run of each" in page.text("#facts")
    assert page.texts("#cells thead th") == [
        *("test set", "run", "strict F1", "precision", "recall", "difference", "verdict"),
    ]
    assert page.text("#errors-hint").endswith("Below, the sentences that only one gets right.")
    assert page.texts("#list h4")[:2] == ["a: wrong", "b: right"]
    assert page.texts("#trouble") == []
    assert "3 of 3 runs with scores" in page.text("#facts")
    assert page.text("#forest-hint").startswith("Each run minus ")
    words = page.evaluate("document.querySelector('.page').innerText.toLowerCase()").split()
    assert not {"cell", "cells", "place", "choice"} & {word.strip(",.:;") for word in words}
    texts = page.evaluate("document.querySelector('.page').innerText.replaceAll('other seeds', '')")
    assert "seed" not in texts
    page.click("[data-pair='1']")
    assert page.text("#status").startswith("1–4 of 4")


def test_the_page_names_the_split_that_runs_are_compared_on(tmp_path: Path, open_page: OpenPage) -> None:
    for name, wrong in (("a", range(20)), ("b", (1,))):
        finish(planned(tmp_path / name), wrong, split="devel")

    results = compare_runs([tmp_path / "a", tmp_path / "b"], n_resamples=50, on="devel")
    write_comparison_page(results, tmp_path / "page")
    page = open_page(tmp_path / "page")

    assert page.text("#cells-hint") == "In each devel set the best is bold, the second best underlined."
    assert page.text("#errors-hint").startswith("Devel sentences that both systems get wholly right")
    assert page.text("#trouble").startswith("the same sentences, a: nothing was right; what is compared with it ")
    assert "with any seed" not in page.evaluate("document.querySelector('.page').innerText")
    words = page.evaluate("document.querySelector('.page').innerText").replace("on test, once", "")
    assert not re.findall(r"(?i).*\btest set.*|.*test sentence.*", words)


def test_a_label_that_neither_side_has_is_a_dash(tmp_path: Path, open_page: OpenPage) -> None:
    gold = "ataxia\tB-X\t{}\nzinc\tO\t{}\n\n"
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for file, tags in zip(files, (("B-X", "B-Y"), ("B-X", "O")), strict=True):
        file.write_text(gold.format(*tags), encoding="utf-8")

    write_comparison_page(compare_runs(files, n_resamples=20), tmp_path / "page")
    page = open_page(tmp_path / "page")

    assert page.texts("#label-table tbody tr:nth-child(2) td") == ["100.00", "0.00", "–"]
    cell = "document.querySelector('#label-table tbody tr:nth-child(2) td:last-child')"
    assert page.evaluate(f"{cell}.title") == "neither gold nor predicted"
    assert page.count("#label-table .missing") == 0


def test_the_axis_of_differences_reaches_over_the_whole_grey_band(tmp_path: Path, open_page: OpenPage) -> None:
    results = compare_runs(three_runs(tmp_path)[:2], n_resamples=50)
    (comparison,) = results.comparisons
    wide = replace(comparison, low=-0.02, high=-0.01, difference=-0.015, smallest_detectable=0.045)

    write_comparison_page(replace(results, comparisons=(wide,)), tmp_path / "page")
    page = open_page(tmp_path / "page")

    band = "document.querySelector('#forest line.band')"
    left, zero, right = (
        page.evaluate(f"parseFloat({line}.getAttribute('{side}'))")
        for line, side in ((band, "x1"), ("document.querySelector('#forest line.zero')", "x1"), (band, "x2"))
    )
    assert 0 < left < zero < right < 100
    assert zero - left == pytest.approx(right - zero, abs=0.01)


def test_the_page_of_two_runs_names_them(tmp_path: Path, open_page: OpenPage) -> None:
    results = compare_runs(three_runs(tmp_path)[:2], n_resamples=50)
    write_comparison_page(results, tmp_path / "page")

    page = open_page(tmp_path / "page")

    assert page.text("#answer") == results.comparisons[0].sentence
    assert page.texts("#sides button") == ["All", "Only a right", "Only b right"]
    assert "only b" in page.texts("#agreement thead th")


def test_circular_links_are_refused(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(BadFile, match="loop: cannot be accessed"):
        compare_runs([tmp_path / "loop", tmp_path / "loop"])


def documents(path: Path, *spans: tuple[int, int], score: float | None = None) -> Path:
    """Write a document of two sentences with mentions of these places."""
    text = "😀 pro-B-type peptide rose. It fell."
    found = [{"start": start, "end": end, "label": "X", "score": score} for start, end in spans]
    kept = [{key: value for key, value in each.items() if value is not None} for each in found]
    path.write_text(json.dumps({"id": "demo-067", "text": text, "spans": kept}) + "\n", encoding="utf-8")
    return path


def compared_files(folder: Path) -> Results:
    gold = documents(folder / "gold.jsonl", (2, 12))
    first, second = (
        documents(folder / "a.jsonl", (6, 12), score=0.25),
        documents(folder / "b.jsonl", (2, 12), score=0.5),
    )
    return compare_runs([first, second], gold=gold, n_resamples=20)


def test_files_are_not_said_to_have_seeds(tmp_path: Path) -> None:
    (comparison,) = compared_files(tmp_path).comparisons

    assert comparison.sentence.endswith(
        "; one file of each, so nothing is known about another training, or another pass of a person."
    )
    assert "other seeds" not in comparison.sentence


def test_a_disagreement_of_files_has_its_place_its_text_and_confidence(tmp_path: Path, open_page: OpenPage) -> None:
    write_comparison_page(compared_files(tmp_path), tmp_path / "page")

    page = open_page(tmp_path / "page")

    assert page.text("#list .where").startswith("demo-067, sentence 1 · ")
    assert page.texts("#list p.text") == ["😀 pro-B-type peptide rose."] * 2
    assert page.texts("#list .mistakes li") == ["boundarygold X pro-B-type → predicted X B-type 0.250", "no error"]
    assert page.texts("#list .predicted.wrong") == ["B-type"]
    page.evaluate(
        "(() => { const field = document.getElementById('search'); field.value = 'demo-067';"
        " field.dispatchEvent(new Event('input')); })()"
    )
    assert page.text("#status") == "1–1 of 1 sentence"
    assert page.complaints() == []


def wrong_in_two_ways(folder: Path) -> Results:
    """Compare two files: both right, both wrong alike, both wrong and different, and one right."""
    text = "First was fever. Second was cough. Third was ataxia. Fourth was nausea."
    places = {word: (text.index(word), text.index(word) + len(word)) for word in ("fever", "cough", "ataxia", "nausea")}

    def write(name: str, **words: str) -> Path:
        spans = [{"start": start, "end": end, "label": words.get(word, "X")} for word, (start, end) in places.items()]
        path = folder / f"{name}.jsonl"
        path.write_text(json.dumps({"id": "d", "text": text, "spans": spans}) + "\n", encoding="utf-8")
        return path

    first, second = write("a", cough="Y", ataxia="Y", nausea="Y"), write("b", cough="Y", ataxia="Z")
    return compare_runs([first, second], gold=write("gold"), n_resamples=20)


def test_sentences_that_both_get_wrong_in_different_ways_come_after_the_others(tmp_path: Path) -> None:
    (pair,) = wrong_in_two_ways(tmp_path).pairs

    assert [(each.number, each.first_right, each.second_right) for each in pair.sentences] == [(3, 0, 1), (2, 0, 0)]
    assert (pair.both_right, pair.both_wrong) == (1, 2)


def test_the_page_filters_sentences_that_both_get_wrong_in_different_ways(tmp_path: Path, open_page: OpenPage) -> None:
    write_comparison_page(wrong_in_two_ways(tmp_path), tmp_path / "page")
    page = open_page(tmp_path / "page")

    assert page.text("#errors-hint").endswith("gets right. Those that both get wrong in different ways come last.")
    assert page.text("#status") == "1–2 of 2 sentences"
    page.click("[data-side=neither]")

    assert page.text("[data-side=neither]") == "Both wrong, and different"
    assert page.text("#status") == "1–1 of 1 sentence (of 2 without filters)"
    assert page.texts("#list h4") == ["a.jsonl: wrong", "b.jsonl: wrong"]
    assert page.texts("#list .predicted.wrong") == ["ataxia", "ataxia"]
    assert page.evaluate("location.hash") == "#side=neither"
    assert page.complaints() == []


def test_runs_of_taggers_say_where_their_sentences_stand(tmp_path: Path) -> None:
    results = compared(tmp_path)

    reviewed = results.pairs[0].sentences[0].reviewed
    assert reviewed is not None
    first, second = reviewed
    assert (first.number, first.text) == (second.number, second.text)
    assert first.text.startswith("ataxia1 ")
    assert list(results.sentences) == ["a", "b", "c"]
