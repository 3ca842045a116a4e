"""Tables of marked pairs: columns, labels, spans, and what is refused."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.relations.tables import check_pairs, examples_of_tables

GAD = "The @GENE$ gene and @DISEASE$."


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_table_without_header_and_index_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "train.tsv", f"{GAD}\t1", "@DISEASE$ of @GENE$\t0")

    first, second = examples_of_tables([path])

    assert (first.id, first.first, first.gold, first.place) == ("train.tsv:1", GAD, "1", f"{path}:1")
    assert first.spans == ((4, 10), (20, 29))
    assert (second.gold, second.spans) == ("0", ((0, 9), (13, 19)))


def test_a_table_with_header_and_index_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "test.tsv", "index\tsentence\tlabel", f"a.T1.T2\t{GAD}\tCPR:3", f"x\t{GAD}\tfalse")

    assert [(each.id, each.gold, each.place) for each in examples_of_tables([path])] == [
        ("a.T1.T2", "CPR:3", f"{path}:2"),
        ("x", "false", f"{path}:3"),
    ]


def test_three_columns_without_header_begin_with_the_index(tmp_path: Path) -> None:
    (found,) = examples_of_tables([write(tmp_path / "test.tsv", f"7\t{GAD}\tDDI-effect")])

    assert (found.id, found.first, found.gold) == ("7", GAD, "DDI-effect")


def test_files_of_one_name_in_two_folders_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    paths = [write(tmp_path / name, f"7\t{GAD}\t1") for name in ("train.tsv", "more/train.tsv")]

    assert [each.id for each in examples_of_tables(paths)] == ["train.tsv:7", "more/train.tsv:7"]


def test_json_lines_of_scibert_stay_as_they_are(tmp_path: Path) -> None:
    text = "An [[ enzyme ]] by << aspirin >>, 5 >> 4."
    path = write(tmp_path / "train.txt", json.dumps({"text": text, "label": "INHIBITOR", "metadata": []}))

    (found,) = examples_of_tables([path])

    assert (found.first, found.gold, found.id) == (text, "INHIBITOR", "train.txt:1")
    assert [text[start:end] for start, end in found.spans] == ["<< aspirin >>", "[[ enzyme ]]"]


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "sent,rel", '"@GENE$, @DISEASE$",yes')

    (found,) = examples_of_tables([path], {"text": "sent", "label": "rel"})

    assert (found.first, found.gold, found.spans) == ("@GENE$, @DISEASE$", "yes", ((0, 6), (8, 17)))


def test_texts_without_label_have_no_gold(tmp_path: Path) -> None:
    path = write(tmp_path / "new.tsv", "index\tsentence", f"1\t{GAD}")

    assert [(each.id, each.gold) for each in examples_of_tables([path])] == [("1", None)]


def test_texts_without_any_marks_have_no_spans(tmp_path: Path) -> None:
    assert [each.spans for each in examples_of_tables([write(tmp_path / "a.tsv", "a\t1", "b\t0")])] == [(), ()]


def test_of_several_files_the_name_stands_before_the_id(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, f"0\t{GAD}\t1") for name in ("a.tsv", "b.tsv")]

    assert [each.id for each in examples_of_tables(paths)] == ["a.tsv:0", "b.tsv:0"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ((f"{GAD}\t1", f"5\t{GAD}\t1"), "a.tsv:2: found 3 columns, expected 2"),
        ((f"1\t2\t{GAD}\t1",), "a.tsv:1: found 4 columns, expected 3"),
        ((f"1\t{GAD}\t1", "2\t \t1"), "a.tsv:2: 'sentence' is empty"),
        ((f"1\t{GAD}\t1", f"2\t{GAD}\t"), "a.tsv:2: a label is empty"),
        ((f"1\t{GAD}\t1", f"1\t{GAD} Again.\t1"), r"a.tsv:2: the id '1' stands at .*a.tsv:1"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(tmp_path: Path, lines: tuple[str, ...], problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        examples_of_tables([write(tmp_path / "a.tsv", *lines)])


@pytest.mark.parametrize(
    ("pooling", "lines", "problem"),
    [
        ("markers", (f"{GAD}\t1", "The @GENE$ gene.\t1"), "found only '@GENE$' of the two mentions in 'The @GENE$"),
        ("markers", (f"{GAD}\t1", "Nothing.\t1"), "found none of the two mentions in 'Nothing.'"),
        ("markers", (f"{GAD}\t1", "Nothing.\t1", "No more.\t0"), "found none of the two mentions"),
        ("cls", (f"{GAD}\t1", "The @GENE$ gene.\t1"), "found only '@GENE$'"),
    ],
)
def test_texts_without_the_pair_that_is_read_are_refused(
    tmp_path: Path, pooling: str, lines: tuple[str, ...], problem: str
) -> None:
    examples = examples_of_tables([write(tmp_path / "a.tsv", *lines)])

    with pytest.raises(BadFile) as refused:
        check_pairs(examples, pooling)
    assert refused.value.problem.startswith(f"{tmp_path / 'a.tsv'}:2: {problem}")
    assert "mark both" in refused.value.remedy
    assert '`text.pooling = "cls"`' in refused.value.remedy


@pytest.mark.parametrize("lines", [("a\t1", "b\t0"), ("a\t1", f"{GAD}\t0"), ("@GENE$\t1", "b\t0")])
def test_where_marks_are_not_read_texts_need_none(tmp_path: Path, lines: tuple[str, ...]) -> None:
    check_pairs(examples_of_tables([write(tmp_path / "a.tsv", *lines)]), "cls")
