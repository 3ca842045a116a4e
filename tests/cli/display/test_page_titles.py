"""Titles of what was evaluated."""

from pathlib import Path

from linnet.cli.display.page_titles import page_details, page_title, table_title
from tests import tiny


def test_the_split_is_named_where_a_corpus_has_several() -> None:
    details = page_details(Path("runs/a"), tiny.corpus(), "test")

    assert page_title(Path("runs/a"), tiny.corpus(), "test") == f"a on {tiny.corpus().name}, test"
    assert table_title(details) == f"runs/a on {tiny.corpus()}, test split"


def test_a_single_file_has_no_split_to_name() -> None:
    file = tiny.corpus() / "test.tsv"

    assert page_title(Path("runs/a"), file, "test") == "a on test.tsv"
    assert "split" not in page_details(Path("runs/a"), file, "test")


def test_the_vocabulary_that_mentions_are_linked_with_is_named() -> None:
    file, vocabulary = tiny.corpus() / "test.tsv", Path("vocabularies/mesh")

    assert page_title(Path("runs/a"), file, "test", vocabulary) == "a on test.tsv, linked with mesh"
    title = table_title({"model": "runs/a", "corpus": "c", "split": "test"}, vocabulary)
    assert title == "runs/a on c, test split, linked with vocabularies/mesh"
