"""Scores and tables of linking."""

import pytest

from linnet.tasks.linking.evaluation.protocols import count_document
from linnet.tasks.linking.evaluation.scores import linking_tables, score_counts
from tests.tasks.linking.evaluation.test_protocols import document, mention


def test_the_shape_is_the_documented_one_and_values_are_fractions() -> None:
    counts = [count_document(document(mention(("A",), ("A",)), mention(("B",), ("C", "B"), start=9)))]

    found = score_counts(counts, n_resamples=10)

    assert found["gold"].keys() == {"any", "all", "strict"}
    assert found["gold"]["any"] == {
        "recall_at_1": 0.5, "recall_at_5": 1.0, "low": None, "high": None, "units": "documents", "n_units": 1,
        "mentions": 2,
    }  # fmt: skip
    assert found["end_to_end"]["f1"] == pytest.approx(0.5)
    assert found["identifiers"]["strict"]["precision"] == pytest.approx(0.5)
    assert found.keys() >= {"gold", "end_to_end", "documents", "seen", "unseen", "nil"}
    over = {"unit": "documents", "units": "documents", "n_units": 1}
    assert found["scores"]["any"] == {"value": 0.5, "low": None, "high": None, "n": 1, **over}


def test_tables_have_a_cell_for_each_column() -> None:
    counts = [count_document(document(mention(("A",), ("A",), is_seen=True, is_seen_concept=False)))]

    tables = linking_tables({**score_counts(counts, n_resamples=10), "mentions": 1, "spans": "gold"})

    assert [row[0] for row in tables[0].rows] == ["any", "all", "strict", "seen", "unseen concepts"]
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    assert linking_tables({}) == []


def test_without_documents_there_is_no_score() -> None:
    assert score_counts([])["gold"] == {}


def test_titles_say_what_the_intervals_are_over_and_none_is_of_zero_width() -> None:
    counts = [count_document(document(mention(("A",), ("A",), is_seen=True)))] * 6

    scores = {**score_counts(counts, n_resamples=50), "mentions": 6, "spans": "gold"}

    gold, pairs = linking_tables(scores)
    assert gold.title == "6 gold mentions with an identifier; in percent; 95 % intervals over 6 documents"
    assert pairs.title == "links of gold mentions; in percent; 95 % intervals over 6 documents"
    assert gold.rows[0][1] == "100.00"
    assert 0 < scores["gold"]["any"]["low"] < 1 == scores["gold"]["any"]["high"]
    assert 0 < scores["seen"]["low"] < 1


def test_a_score_of_fewer_than_five_documents_has_no_interval() -> None:
    one, other = mention(("A",), ("A",), is_seen=True), mention(("A",), ("B",), is_seen=False)
    counts = [count_document(document(each)) for each in (one, one, one, one, other, other)]

    scores = {**score_counts(counts, n_resamples=50), "mentions": 6, "spans": "gold"}

    rows = {row[0]: row for row in linking_tables(scores)[0].rows}
    assert (rows["seen"][2], rows["unseen"][2]) == ("-", "-")
    assert rows["any"][2] != "-"
    few = linking_tables({**score_counts(counts[:4], n_resamples=50), "mentions": 4, "spans": "gold"})
    assert few[0].title == "4 gold mentions with an identifier; in percent; too few documents for intervals (4)"


def test_without_a_gold_mention_that_lacks_an_identifier_there_is_no_score_of_them() -> None:
    counts = [count_document(document(mention(("A",), ())))] * 6

    scores = {**score_counts(counts, n_resamples=50), "mentions": 6, "spans": "gold"}

    assert linking_tables(scores)[1].rows[-1] == ("nil", "-", "-", "-", "-")
    assert (scores["nil"]["low"], scores["nil"]["high"], scores["nil"]["gold"]) == (None, None, 0)
