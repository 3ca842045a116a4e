"""Sentences of files without documents are put into those that another file names, and what does not fit is refused."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from linnet.documents.document import Sentence
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.labels.mention import Mention
from linnet.metrics.mentions.scores import DOCUMENTS
from linnet.tasks.ner.corpora.documents import group_rows, in_documents, join
from linnet.tasks.ner.corpora.facts import facts_of_corpora
from linnet.tasks.ner.corpora.sources import read_sources
from linnet.tasks.ner.evaluation import Evaluation, evaluate_examples, read_predictions, write_predictions
from linnet.tasks.ner.examples import Example, Examples
from linnet.tasks.ner.predictor import load
from tests import tiny

PUBTATOR = "7|t|No ataxia .\n7|a|Mild anaemia .\n7\t3\t9\tataxia\tDisease\t-\n\n8|t|We gave aspirin .\n8|a|\n\n"


def row(number: int, *words: str) -> Example:
    """Return a sentence that was read as a document of its own; its last word is a mention."""
    text, starts = " ".join(words), [sum(len(word) + 1 for word in words[:at]) for at in range(len(words))]
    tokens = tuple((start, start + len(word)) for start, word in zip(starts, words, strict=True))
    tags = ["O"] * (len(words) - 1) + ["B-X"]
    gold = (Mention(len(words) - 1, len(words), "X"),)
    return Example(f"test-{number}", number, 1, text, Sentence(0, len(text), tokens), list(words), tags, gold)


def rows() -> list[Example]:
    return [row(0, "No", "ataxia", "."), row(1, "Mild", "anaemia", "."), row(2, "We", "gave", "aspirin", ".")]


def texts_of(examples: Sequence[Example]) -> list[list[str]]:
    return [[each.text[start:end] for start, end in each.sentence.tokens] for each in examples]


def write_ids(path: Path, *ids: object) -> str:
    path.write_text("".join(f"{id}\n" for id in ids), encoding="utf-8")
    return str(path)


def test_sentences_of_a_document_share_its_text_and_are_numbered_in_it() -> None:
    found = group_rows(rows(), [0, 0, 1], name="test document")

    assert [(each.document, each.group, each.number) for each in found] == [
        ("test document 1", 0, 1),
        ("test document 1", 0, 2),
        ("test document 2", 1, 1),
    ]
    assert {each.text for each in found} == {"No ataxia .\nMild anaemia .", "We gave aspirin ."}
    assert texts_of(found) == [each.words for each in rows()]


def test_a_document_that_was_read_whole_can_be_divided() -> None:
    text = "No ataxia .\nMild anaemia ."
    whole = [Example("1", 0, number, text, each.sentence.moved(12 * (number - 1)), each.words, each.tags, each.gold)
             for number, each in enumerate(rows()[:2], 1)]  # fmt: skip

    found = group_rows(whole, [0, 1], name="part")

    assert [each.document for each in found] == ["part 1", "part 2"]
    assert texts_of(found) == [["No", "ataxia", "."], ["Mild", "anaemia", "."]]


def test_documents_of_two_splits_stay_apart() -> None:
    first, second = (Examples(group_rows(rows(), [0, 0, 1], name=name)) for name in ("train", "devel"))

    found = join([first, second])

    assert [each.group for each in found.rows] == [0, 0, 1, 2, 2, 3]
    assert len({each.document for each in found.rows}) == 4


def test_a_file_has_ids_or_the_texts_themselves(tmp_path: Path) -> None:
    ids = write_ids(tmp_path / "test.ids", 7, 7, 8)
    (tmp_path / "test.pubtator").write_text(PUBTATOR, encoding="utf-8")

    found = [in_documents(Examples(rows()), Path(file), name="test") for file in (ids, tmp_path / "test.pubtator")]

    assert [each.group for each in found[0].rows] == [0, 0, 1]
    assert found[0].rows == found[1].rows
    assert in_documents(Examples(rows()), None, name="test").rows == rows()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("7\n7\n", "has 2 lines for 3 sentences"),
        ("7\n\n8\n", "documents:2: the line is empty"),
        ("7\n8\n7\n", "sentence 3 belongs to a document that ended before it"),
        ("", "the file is empty"),
        (PUBTATOR.replace("Mild", "Severe"), "no document goes on with sentence 2, 'Mild anaemia .'"),
        ("none\tO\n\nother\tO\n", "has sentences, but does not say which of them are one document"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "documents"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=problem):
        in_documents(Examples(rows()), path, name="test")


def test_a_training_is_scored_on_the_documents_that_its_recipe_names(tmp_path: Path) -> None:
    settings = tiny.settings(tmp_path, documents={"test": write_ids(tmp_path / "test.ids", *"aabbcdde")})

    (target,), problems = read_sources(settings)
    found = evaluate_examples(load(tiny.trained()), target.scored["test"], n_resamples=10)
    write_predictions(tmp_path / "predictions.tsv", found)

    assert problems == []
    assert units_of(found) == (DOCUMENTS, 5)
    assert [unit.group for unit in read_predictions(tmp_path / "predictions.tsv")] == [0, 0, 1, 1, 2, 3, 3, 4]
    assert find_names(target.scored["devel"]) == {f"devel-{number}" for number in range(1, 9)}


def units_of(found: Evaluation) -> tuple[str, int]:
    return found.scores.units, found.scores.n_units


def find_names(examples: Examples) -> set[str]:
    return {each.document for each in examples.rows}


def test_documents_of_one_sentence_each_are_still_documents(tmp_path: Path) -> None:
    settings = tiny.settings(tmp_path, documents={"test": write_ids(tmp_path / "test.ids", *range(8))})

    (target,), _ = read_sources(settings)

    assert units_of(evaluate_examples(load(tiny.trained()), target.scored["test"])) == (DOCUMENTS, 8)


@pytest.mark.parametrize("train_on", ["train", "train_dev"])
def test_samples_are_whole_documents_of_the_file(tmp_path: Path, train_on: str) -> None:
    files = {
        "train": write_ids(tmp_path / "train.ids", *(number // 4 for number in range(24))),
        "devel": write_ids(tmp_path / "devel.ids", *(number // 4 for number in range(8))),
    }
    settings = tiny.settings(
        tmp_path, documents=files, train_sentences=12, sample_documents=True, train_on=train_on
    )  # fmt: skip

    (target,), problems = read_sources(settings)

    assert problems == []
    assert len(target.training.rows) == 12
    assert len(find_names(target.training)) == 3


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ({"test": "short.ids"}, "has 2 lines for 8 sentences"),
        ({"test": "missing.ids"}, "there is no such file"),
        ({"train_dev": "short.ids"}, "no split 'train_dev'"),
    ],
)
def test_wrong_files_are_problems_of_the_corpus_before_anything_is_trained(
    tmp_path: Path, named: dict[str, str], problem: str
) -> None:
    write_ids(tmp_path / "short.ids", 1, 2)
    settings = tiny.settings(tmp_path, documents={split: str(tmp_path / file) for split, file in named.items()})

    _, (found,) = read_sources(settings)
    with pytest.raises(LinnetError, match=problem):
        facts_of_corpora(settings)[settings.corpus_key].check()

    assert problem in str(found)


def test_a_split_that_does_not_exist_is_refused_with_the_settings(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"documents\.tset"):
        tiny.settings(tmp_path, documents={"tset": "a"})
