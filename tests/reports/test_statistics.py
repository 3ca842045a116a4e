"""Statistics of a corpus: every count, the overlap of splits, and the warnings."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import ReadOptions
from linnet.formats.corpus import read_corpus
from linnet.reports.statistics import CorpusStatistics, Lengths, describe
from tests.shared_data import SHARED, needs_shared

TEXT = "Breast and ovarian cancer. No cancer here."


def span(start: int, end: int, label: str = "Disease", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, **more}


def described(folder: Path, **splits: list[dict[str, Any]]) -> CorpusStatistics:
    """Return the statistics of documents given as JSON, split by split."""
    for name, documents in splits.items():
        lines = [json.dumps({"id": f"{name}{number}", **document}) for number, document in enumerate(documents)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return describe(read_corpus(folder))


def warned(statistics: CorpusStatistics, *parts: str) -> bool:
    """Does one of the warnings contain all the parts?"""
    return any(all(part in warning for part in parts) for warning in statistics.warnings)


def test_every_count_of_a_split_is_right(tmp_path: Path) -> None:
    spans = [
        span(0, 25, fragments=[[0, 6], [19, 25]], id="T1", links=[{"identifier": "D001943"}]),  # Breast ... cancer
        span(11, 25, id="T2"),  # ovarian cancer, inside the first
        span(30, 36, id="T3", label="Finding"),  # cancer
        span(37, 39, label="Finding"),  # "he" of "here" cuts a token
    ]
    relation = {"label": "same", "arguments": [{"role": "a", "span": "T1"}, {"role": "b", "span": "T2"}]}

    found = described(tmp_path, train=[{"text": TEXT, "spans": spans, "relations": [relation]}]).splits["train"]

    assert (found.documents, found.sentences, found.tokens) == (1, 2, 9)  # full stops are tokens
    assert (found.mentions, found.relations, found.linked_mentions) == (4, 1, 1)
    assert (found.discontinuous_mentions, found.nested_mentions) == (1, 1)
    assert (found.mentions_that_cut_a_token, found.mentions_that_tags_cannot_hold) == (1, 1)
    assert found.labels == {"Disease": 2, "Finding": 2}
    # Breast and [ovarian cancer] . No [cancer] [here] .
    assert list(found.tags.items()) == [("O", 5), ("B-Disease", 1), ("B-Finding", 2), ("I-Disease", 1)]
    assert found.sentences_without_mentions == 0
    assert found.mention_lengths == Lengths(4 / 3, 1, 2, {1: 2, 2: 1})
    assert found.sentence_lengths == Lengths(4.5, 4.5, 5, {4: 1, 5: 1})
    assert (found.unseen_mentions, found.unseen_share) == (None, None)


def test_sentences_in_two_splits_are_counted_and_warned_of(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        train=[{"text": "A cat. A dog.", "spans": [span(2, 5)]}],
        devel=[{"text": "A cow.", "spans": [span(2, 5)]}],
        test=[{"text": "A cat. A cat. A hen. A cow.", "spans": [span(2, 5), span(23, 26)]}],
    )

    assert found.shared_sentences == {"train/devel": 0, "train/test": 2, "devel/test": 1}
    assert warned(found, '2 sentences of test (50.0%) are also in train (first: "A cat .")')
    assert warned(found, '1 sentence of test (25.0%) is also in devel (first: "A cow .")')
    assert found.splits["test"].repeated_sentences == 1
    assert found.splits["test"].sentences_without_mentions == 2
    assert warned(found, "test repeats 1 of its 4 sentences")


def test_headings_that_splits_share_are_counted_but_not_warned_of(tmp_path: Path) -> None:
    document = {"text": "Results: none. It was not seen in any dog."}

    found = described(tmp_path, train=[{"text": "Results: none."}], devel=[document], test=[document])

    assert found.shared_sentences == {"train/devel": 1, "train/test": 1, "devel/test": 2}
    overlaps = [warning for warning in found.warnings if "also in" in warning]
    assert overlaps == [
        '1 sentence of test (50.0%) is also in devel (first: "It was not seen in any dog ."): '
        "scores on test are too high"
    ]


def test_training_and_development_joined_share_sentences_by_design(tmp_path: Path) -> None:
    same = [{"text": "A cat.", "spans": [span(2, 5)]}]

    found = described(tmp_path, train=same, devel=same, train_dev=same)

    assert list(found.shared_sentences) == ["train/devel"]


def test_mentions_unseen_in_training_are_those_of_new_text_or_new_label(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        train=[{"text": "A cat.", "spans": [span(2, 5, "Pet")]}],
        test=[
            {"text": "THE CAT!", "spans": [span(4, 7, "Pet")]},  # seen, but for upper case
            {"text": "The cat ran.", "spans": [span(4, 7, "Wild")]},
            {"text": "A dog.", "spans": [span(2, 5, "Pet")]},
            {"text": "The dog.", "spans": [span(4, 7, "Pet")]},
        ],
    )

    assert found.splits["test"].unseen_mentions == 3
    assert found.splits["test"].unseen_share == 0.75
    assert warned(found, "test has labels that train does not have: Wild")


@pytest.mark.parametrize(
    ("splits", "parts"),
    [
        ({"train": [{"text": "A cat."}]}, ["train has no mention at all"]),
        (
            {"train": [{"text": "a " * 99 + "b", "spans": [span(198, 199)]}]},
            ["train is very imbalanced", "1.00%"],  # 1 of 100 tokens
        ),
        ({"train": [{"text": "A cat.", "spans": [span(2, 5)]}]}, ["train has only 1 mention of Disease"]),
        (
            {"train": [{"text": "A cat ran.", "spans": [span(2, 9, fragments=[[2, 5], [6, 9]])]}]},
            ["1 discontinuous mention"],
        ),
        ({"train": [{"text": "A cat ran.", "spans": [span(2, 9), span(2, 5)]}]}, ["1 nested or overlapping mention"]),
        ({"train": [{"text": "A cat.", "spans": [span(2, 4)]}]}, ["1 mention that cuts a token"]),
        ({"train": [{"text": "a " * 401, "spans": [span(0, 1)]}]}, ["a sentence of 401 tokens"]),
        (
            {
                "train": [{"text": "A cat.", "spans": [span(2, 5, "Pet")]}],
                "test": [{"text": "A dog.", "spans": [span(2, 5, "Wild")]}],
            },
            ["test has no mention of Pet"],
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_should_give_pause_is_said_in_words(
    splits: dict[str, list[dict[str, Any]]], parts: list[str], tmp_path: Path
) -> None:
    assert warned(described(tmp_path, **splits), *parts)


def test_sound_corpus_gets_no_warning(tmp_path: Path) -> None:
    def documents(words: str) -> list[dict[str, Any]]:
        return [{"text": f"A {words} {number}.", "spans": [span(2, 2 + len(words))]} for number in range(30)]

    assert described(tmp_path, train=documents("cat"), test=documents("cat or so")).warnings == []


def test_repairs_are_noted(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("a\tB-X\n\nb\tI-X\n", encoding="utf-8")

    found = describe(read_corpus(tmp_path, options=ReadOptions(repair=True)))

    assert found.notes[0] == f"tags read as the conlleval script reads them: 1 (first: {tmp_path / 'train.tsv'}:3)"
    assert found.splits["train"].tags == {"B-X": 2}


def test_order_of_documents_changes_nothing(tmp_path: Path) -> None:
    documents: list[dict[str, Any]] = [
        {"text": "A cat.", "spans": [span(2, 5, "Pet")]},
        {"text": "No.", "spans": []},
        {"text": TEXT},
    ]
    first, second = tmp_path / "corpus", tmp_path / "other" / "corpus"
    first.mkdir()
    second.mkdir(parents=True)

    forward = described(first, train=documents)
    backward = described(second, train=documents[::-1])

    assert json.dumps(forward.as_dict()) == json.dumps(backward.as_dict())


def test_statistics_are_plain_values_for_json(tmp_path: Path) -> None:
    found = described(tmp_path, train=[{"text": TEXT, "spans": [span(11, 25)]}])

    there = json.loads(json.dumps(found.as_dict()))

    assert there["splits"]["train"]["mention_lengths"]["histogram"] == {"2": 1}
    assert {"documents", "sentences", "tokens", "mentions", "tags", "labels"} <= set(there["splits"]["train"])


def test_lengths_of_nothing_are_zero() -> None:
    assert Lengths.of([]) == Lengths(0.0, 0.0, 0, {})


def test_sentences_without_documents_say_so(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("no\tO\n\ncancer\tB-Disease\n\n", encoding="utf-8")
    marked = "-DOCSTART-\tO\n\nno\tO\n\ncancer\tB-Disease\n\n-DOCSTART-\tO\n\nhere\tO\n\n"
    (tmp_path / "test.tsv").write_text(marked, encoding="utf-8")

    found = describe(read_corpus(tmp_path))

    assert [found.splits[name].from_documents for name in ("train", "test")] == [None, 2]
    assert found.splits["train"].documents == 2
    (note,) = found.notes
    assert note.startswith("train: the files have sentences only, so the number of documents is not known")


def test_one_document_of_one_sentence_counts_as_a_document(tmp_path: Path) -> None:
    found = described(tmp_path, train=[{"text": TEXT}, {"text": ""}])

    assert found.splits["train"].from_documents == 2
    assert not found.notes


@needs_shared
def test_the_documents_of_a_known_corpus_are_counted() -> None:
    found = describe(read_corpus(SHARED / "data" / "ner" / "ncbi-disease"))

    assert {name: split.from_documents for name, split in found.splits.items() if name != "train_dev"} == {
        "train": 592,
        "devel": 100,
        "test": 100,
    }
    assert not any("documents is not known" in note for note in found.notes)
