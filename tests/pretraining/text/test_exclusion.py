"""Sentences of evaluation corpora are found in the text, however they are written and split."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from linnet.errors import BadFile, UnknownName
from linnet.pretraining.text.exclusion import read_excluded_sentences

SEEN, UNSEEN = "Of ten mice with anaemia nine were treated.", "Of ten mice with ataxia none was treated."


def corpus(folder: Path) -> Path:
    folder.mkdir()
    for split, disease in (("train", "ataxia"), ("test", "anaemia")):
        rows = "".join(f"{word}\tO\n" for word in f"We treated {disease} ( 4 mice ) .".split())
        (folder / f"{split}.tsv").write_text(f"{rows}\n", encoding="utf-8")
    return folder


def test_sentences_are_compared_by_letters_and_digits(tmp_path: Path) -> None:
    excluded = read_excluded_sentences([str(corpus(tmp_path / "c"))])

    kept = excluded.remove_from(["Before.", "WE treated ataxia (4 mice).", "We treated ataxia (5 mice).", "–"])

    assert kept == ["Before.", "We treated ataxia (5 mice).", "–"]
    assert excluded.n_found == {str(tmp_path / "c"): 1}


def test_one_split_can_be_named(tmp_path: Path) -> None:
    excluded = read_excluded_sentences([f"{corpus(tmp_path / 'c')}:test"])

    assert excluded.remove_from(["We treated ataxia (4 mice).", "We treated anaemia (4 mice)."]) == [
        "We treated ataxia (4 mice)."
    ]


def test_documents_without_sentences_are_cut_and_count_without_their_reference_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.pubtator"
    path.write_text("1|t|A title\n1|a|Mice were ill [3]. They died.\n", encoding="utf-8")

    excluded = read_excluded_sentences([str(path)])

    assert excluded.remove_from(["A title.", "Mice were ill.", "Mice were ill [3].", "They died.", "They lived."]) == [
        "They lived."
    ]


def test_another_corpus_has_another_digest(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "c")

    digests = {read_excluded_sentences(names).digest for names in ([], [str(folder)], [f"{folder}:test"])}

    assert len(digests) == 3


def test_a_corpus_or_split_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere"):
        read_excluded_sentences([str(tmp_path / "nowhere")])
    with pytest.raises(UnknownName, match="devel"):
        read_excluded_sentences([f"{corpus(tmp_path / 'c')}:devel"])


def test_all_corpora_that_cannot_be_read_are_reported_together(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"(?s)nowhere.*no split 'devel'"):
        read_excluded_sentences([str(tmp_path / "nowhere"), f"{corpus(tmp_path / 'c')}:devel"])


def test_neighbours_count_as_one_sentence_where_the_text_is_not_cut_between_them(tmp_path: Path) -> None:
    sentences = ["Cells had blockers .", "hiPS-CMs were seeded .", "p53 was found .", "mTOR was not ."]
    rows = "\n\n".join("\n".join(f"{word}\tO" for word in sentence.split()) for sentence in sentences)
    (tmp_path / "test.tsv").write_text(f"{rows}\n", encoding="utf-8")
    excluded = read_excluded_sentences([str(tmp_path / "test.tsv")])

    kept = excluded.remove_from(
        [
            "Cells had blockers. hiPS-CMs were seeded.",
            "hiPS-CMs were seeded. p53 was found. mTOR was not.",
            "Cells had blockers. p53 was found.",  # no neighbours
            "Cells had blockers. hiPS-CMs",  # only a part
        ]
    )

    assert kept == ["Cells had blockers. p53 was found.", "Cells had blockers. hiPS-CMs"]
    assert excluded.n_found.total() == 2


@pytest.mark.parametrize(
    ("of_corpus", "of_text"),
    [
        ("BACKGROUND : We treated ten mice with ataxia .", "We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "BACKGROUND: We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "Methods and results: We treated ten mice with ataxia."),
        ("OBJECTIVE : We treated ten mice with ataxia .", "AIM: We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "BACKGROUND We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "METHODS AND RESULTS We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "(1) Background: We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "Main outcome measures -- We treated ten mice with ataxia."),
        ("We treated ten mice with ataxia .", "OBJECTIVE—We treated ten mice with ataxia."),
        ("Sjøgren and Łukasz treated cæcal cancer .", "Sjogren and Lukasz treated caecal cancer."),
        ("Guillain-Barre syndrome was seen .", "Guillain–Barré syndrome was seen."),
        ("TNF-alpha was raised .", "TNF-α was raised."),
        ("Β-amyloid at 5 µM .", "beta-amyloid at 5 μM."),
        ("The ﬁrst 10² cells grew .", "The first 102 cells grew."),
    ],
)
def test_copies_that_are_written_in_another_way_are_found(tmp_path: Path, of_corpus: str, of_text: str) -> None:
    (tmp_path / "test.tsv").write_text("".join(f"{word}\tO\n" for word in of_corpus.split()), encoding="utf-8")

    excluded = read_excluded_sentences([str(tmp_path / "test.tsv")])

    assert excluded.remove_from([of_text, "We treated ataxia again."]) == ["We treated ataxia again."]


@pytest.mark.parametrize("sentence", ["CO:2 was measured.", "DNA: was measured.", "Was measured: was measured."])
def test_what_is_no_label_of_a_section_belongs_to_its_sentence(tmp_path: Path, sentence: str) -> None:
    (tmp_path / "test.tsv").write_text("2\tO\nwas\tO\nmeasured\tO\n\nwas\tO\nmeasured\tO\n", encoding="utf-8")

    assert read_excluded_sentences([str(tmp_path / "test.tsv")]).remove_from([sentence]) == [sentence]


@pytest.mark.parametrize("hostile", ["'" * 20_000, "a " * 20_000, "(a-" * 9000])
def test_hostile_sentences_take_no_longer_than_others(tmp_path: Path, hostile: str) -> None:
    (tmp_path / "test.tsv").write_text("a\tO\n", encoding="utf-8")
    excluded = read_excluded_sentences([str(tmp_path / "test.tsv")])
    began = time.perf_counter()

    assert excluded.remove_from([hostile]) == [hostile]

    assert time.perf_counter() - began < 2  # milliseconds; looking back from each place takes many seconds


def test_a_sentence_is_found_where_line_breaks_cut_it(tmp_path: Path) -> None:
    excluded = read_excluded_sentences([str(corpus(tmp_path / "c"))])

    kept = excluded.remove_from(
        ["Before it.", "RESULTS: We treated", "Ataxia (4", "mice).", "We treated", "Behind it."]
    )

    assert kept == ["Before it.", "We treated", "Behind it."]
    assert excluded.n_found.total() == 1


def test_a_corpus_of_which_nothing_was_met_is_counted_with_none(tmp_path: Path) -> None:
    excluded = read_excluded_sentences([str(corpus(tmp_path / "c"))])

    assert excluded.remove_from(["Another sentence."])
    assert dict(excluded.n_found) == {str(tmp_path / "c"): 0}


def json_lines(*rows: dict[str, str]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def bioasq(text: str) -> str:
    question = {"id": text.split()[4], "type": "list", "body": f"Which mice: {text}?", "exact_answer": [["mice"]]}
    return json.dumps({"questions": [question | {"snippets": [{"text": text}]}]})


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        ("tsv", lambda text: f"labels\tsentence\tindex\n0_0,1_1\t{text}\t1_s0\n"),
        ("tsv", lambda text: f"pair_id\tsent1\tsent2\tscore\n1\tMice ran fast.\t{text}\t3.0\n"),
        ("tsv", lambda text: f"index\tsentence\tlabel\n0\t{text} The @GENE$ is tied to @DISEASE$.\t1\n"),
        ("txt", lambda text: json_lines({"text": text.replace("mice", "<< mice >>"), "label": "NONE"})),
        ("tsv", lambda text: f"q1\tWere they treated?\t{text} They ran.\tyes\n"),
        ("jsonl", lambda text: json_lines({"sentence1": text, "sentence2": "They ran.", "gold_label": "neutral"})),
        ("json", bioasq),
    ],
    ids=["hoc", "biosses", "gad", "chemprot", "yes-no", "mednli", "bioasq"],
)
def test_corpora_of_tasks_about_texts_are_excluded_too(
    tmp_path: Path, suffix: str, content: Callable[[str], str]
) -> None:
    (tmp_path / f"train.{suffix}").write_text(content(UNSEEN), encoding="utf-8")
    (tmp_path / f"test.{suffix}").write_text(content(SEEN), encoding="utf-8")

    of_test, of_all = read_excluded_sentences([f"{tmp_path}:test"]), read_excluded_sentences([str(tmp_path)])

    assert of_test.remove_from([SEEN, UNSEEN]) == [UNSEEN]
    assert of_all.remove_from([SEEN, UNSEEN]) == []


def test_of_a_named_split_no_other_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("labels\tsentence\tindex\nbroken\n", encoding="utf-8")
    (tmp_path / "test.tsv").write_text(f"labels\tsentence\tindex\n0_1\t{SEEN}\t1_s0\n", encoding="utf-8")

    assert read_excluded_sentences([f"{tmp_path}:test"]).remove_from([SEEN]) == []
    with pytest.raises(UnknownName, match="no split 'devel'"):
        read_excluded_sentences([f"{tmp_path}:devel"])


def test_questions_of_every_kind_count_whichever_split_has_them(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(bioasq(UNSEEN), encoding="utf-8")
    (tmp_path / "test.json").write_text(bioasq(SEEN).replace("list", "factoid"), encoding="utf-8")

    assert read_excluded_sentences([str(tmp_path)]).remove_from([SEEN, UNSEEN]) == []


def test_the_test_questions_of_pubmedqa_are_those_of_its_list(tmp_path: Path) -> None:
    texts = {"1": SEEN, "2": UNSEEN}
    entries = {
        id: {"QUESTION": f"Is it {id}?", "CONTEXTS": [text], "final_decision": "yes"} for id, text in texts.items()
    }
    (tmp_path / "ori_pqal.json").write_text(json.dumps(entries), encoding="utf-8")
    (tmp_path / "test_ground_truth.json").write_text('{"1": "yes"}', encoding="utf-8")

    assert read_excluded_sentences([f"{tmp_path}:test"]).remove_from([SEEN, UNSEEN]) == [UNSEEN]
    assert read_excluded_sentences([f"{tmp_path}:train"]).remove_from([SEEN, UNSEEN]) == [SEEN]


def test_every_sentence_of_a_line_is_counted(tmp_path: Path) -> None:
    abstract = "We treated ataxia. The mice were ill. They lived."
    (tmp_path / "test.jsonl").write_text(f'{{"id": "1", "text": "{abstract}", "spans": []}}\n', encoding="utf-8")
    name = str(tmp_path / "test.jsonl")
    on_one_line, on_three = read_excluded_sentences([name]), read_excluded_sentences([name])

    assert on_one_line.remove_from([abstract, "Another one."]) == ["Another one."]
    assert on_three.remove_from([*(f"{each}." for each in abstract.strip(".").split(". ")), "Another one."]) == [
        "Another one."
    ]
    assert on_one_line.n_found == on_three.n_found == {name: 3}
