from pathlib import Path

import pytest

from linnet.errors import BadFile, UnknownName
from linnet.pretraining.exclusion import read_excluded


def corpus(folder: Path) -> Path:
    folder.mkdir()
    for split, disease in (("train", "ataxia"), ("test", "anaemia")):
        rows = "".join(f"{word}\tO\n" for word in f"We treated {disease} ( 4 mice ) .".split())
        (folder / f"{split}.tsv").write_text(f"{rows}\n", encoding="utf-8")
    return folder


def test_sentences_are_compared_by_letters_and_digits(tmp_path: Path) -> None:
    excluded = read_excluded([str(corpus(tmp_path / "c"))])

    kept = excluded.without(["Before.", "WE treated ataxia (4 mice).", "We treated ataxia (5 mice).", "–"])

    assert kept == ["Before.", "We treated ataxia (5 mice).", "–"]
    assert excluded.n_met == {str(tmp_path / "c"): 1}


def test_one_split_can_be_named(tmp_path: Path) -> None:
    excluded = read_excluded([f"{corpus(tmp_path / 'c')}:test"])

    assert excluded.without(["We treated ataxia (4 mice).", "We treated anaemia (4 mice)."]) == [
        "We treated ataxia (4 mice)."
    ]


def test_documents_without_sentences_are_cut_and_count_without_their_reference_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.pubtator"
    path.write_text("1|t|A title\n1|a|Mice were ill [3]. They died.\n", encoding="utf-8")

    excluded = read_excluded([str(path)])

    assert excluded.without(["A title.", "Mice were ill.", "Mice were ill [3].", "They died.", "They lived."]) == [
        "They lived."
    ]


def test_another_corpus_has_another_digest(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "c")

    digests = {read_excluded(names).digest for names in ([], [str(folder)], [f"{folder}:test"])}

    assert len(digests) == 3


def test_a_corpus_or_split_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere"):
        read_excluded([str(tmp_path / "nowhere")])
    with pytest.raises(UnknownName, match="devel"):
        read_excluded([f"{corpus(tmp_path / 'c')}:devel"])
