"""Samples keep the share of sentences with mentions or whole documents, and smaller ones lie within larger ones."""

from collections import Counter
from dataclasses import replace

import pytest

from linnet.documents.document import Sentence
from linnet.errors import BadSetting
from linnet.formats.sentence_documents import find_documents
from linnet.tasks.ner.corpora.sampling import sample, sample_documents
from linnet.tasks.ner.examples import Example, Examples


def examples(n_with: int, n_without: int) -> Examples:
    tags = [["B-Disease"]] * n_with + [["O"]] * n_without
    rows = [
        Example("1", 0, number, "x", Sentence(0, 1, ((0, 1),)), ["x"], each, ()) for number, each in enumerate(tags)
    ]
    return Examples(rows)


def numbers(drawn: Examples) -> list[int]:
    return [row.number for row in drawn.rows]


@pytest.mark.parametrize(("number", "n_with"), [(10, 3), (50, 15), (100, 30), (7, 2)])
def test_the_share_of_sentences_with_mentions_is_kept(number: int, n_with: int) -> None:
    drawn = sample(examples(30, 70), number, seed=1, setting="train_sentences")

    assert len(drawn.rows) == number
    assert sum(row.tags == ["B-Disease"] for row in drawn.rows) == n_with
    assert numbers(drawn) == sorted(set(numbers(drawn)))


def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    rows = examples(30, 70)

    small, large = (sample(rows, number, seed=1, setting="train_sentences") for number in (20, 60))

    assert set(numbers(small)) < set(numbers(large))


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(BadSetting, match="devel_sentences is 3, the split has 2"):
        sample(examples(1, 1), 3, seed=1, setting="devel_sentences")


def documents(*sizes: int) -> Examples:
    rows = [
        Example(f"pmid {group}", group, number, "x", Sentence(0, 1, ((0, 1),)), ["x"], ["O"], ())
        for group, size in enumerate(sizes)
        for number in range(1, size + 1)
    ]
    return Examples(rows)


def sizes_of(drawn: Examples) -> dict[str, int]:
    return dict(Counter(row.document for row in drawn.rows))


@pytest.mark.parametrize("number", [1, 5, 11, 20, 33, 40])
def test_a_sample_of_documents_has_each_of_its_documents_whole(number: int) -> None:
    sizes = {f"pmid {group}": size for group, size in enumerate((7, 1, 9, 4, 12, 7))}

    drawn = sizes_of(sample_documents(documents(*sizes.values()), number, seed=3, setting="train_sentences"))

    assert drawn.items() <= sizes.items()
    assert abs(sum(drawn.values()) - number) <= max(sizes.values())


def test_documents_are_drawn_up_to_the_nearest_number() -> None:
    drawn = [
        len(sample_documents(documents(10, 10, 10), number, seed=0, setting="train_sentences").rows)
        for number in (1, 14, 16, 24, 26, 30)
    ]

    assert drawn == [10, 10, 20, 20, 30, 30]


def test_a_smaller_sample_of_documents_is_part_of_a_larger_one() -> None:
    rows = documents(*range(1, 12))

    drawn = [set(sizes_of(sample_documents(rows, n, seed=5, setting="train_sentences"))) for n in (10, 20, 40, 60)]

    assert drawn[0] < drawn[1] < drawn[2] < drawn[3]


def test_sentences_without_documents_are_not_sampled_as_documents() -> None:
    rows = [replace(row, document=f"train-{n}", group=n) for n, row in enumerate(documents(5).rows)]

    with pytest.raises(BadSetting, match="train_sentences is to be whole documents") as caught:
        sample_documents(Examples(rows), 3, seed=1, setting="train_sentences")

    assert "sample_documents" in caught.value.remedy


def test_documents_of_a_known_corpus_stay_documents_in_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [replace(row, document=f"devel-{n}", group=n) for n, row in enumerate(documents(6).rows)]
    known = lambda ids, words: [0, 0, 1, 1, 1, 2]  # noqa: E731
    monkeypatch.setattr("linnet.tasks.ner.corpora.sampling.find_documents", known)

    drawn = sample_documents(Examples(rows), 6, seed=1, setting="devel_sentences")

    assert find_documents([row.document for row in drawn.rows], drawn.words) == [0, 0, 1, 1, 1, 2]
    assert [row.group for row in drawn.rows] == [0, 0, 1, 1, 1, 2]
    assert [row.text for row in drawn.rows] == ["x\nx"] * 2 + ["x\nx\nx"] * 3 + ["x"]  # each document has all its words
    assert [row.number for row in drawn.rows] == [1, 2, 1, 2, 3, 1]


def test_more_sentences_than_the_documents_have_are_refused() -> None:
    with pytest.raises(BadSetting, match="train_sentences is 4, the split has 3"):
        sample_documents(documents(1, 2), 4, seed=1, setting="train_sentences")
