"""Headers: names in any case, those that the recipe gives, and unknown ones that must not be learned as a row."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.texts.reading.headers import answer_column, column_names
from linnet.tasks.texts.reading.tables import read_rows

LAYOUTS = (("text", "label"), ("id", "text", "label"), ("text",))
ROWS = (("ataxia was treated", "disease"), ("aspirin was given", "chemical")) * 4


def named(first: list[str], columns: dict[str, str] | None = None) -> tuple[list[str], bool]:
    return column_names(Path("t.tsv"), (1, first), LAYOUTS, columns or {})


def read(folder: Path, first: str, rows: tuple[tuple[str, ...], ...], columns: dict[str, str] | None = None) -> int:
    path = folder / "t.tsv"
    path.write_text("\n".join([first, *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return len(list(read_rows(path, LAYOUTS, columns)))


def test_names_are_known_in_any_case_also_those_of_no_layout() -> None:
    assert named(["TEXT", "Labels", "Index"]) == (["text", "labels", "index"], True)
    assert named(["Text", "PAIRID", "Gold_Label", "Year"]) == (["text", "pairID", "gold_label", "Year"], True)
    assert named(["Abstract", "TOPIC"], {"text": "abstract", "label": "Topic"}) == (["text", "label"], True)


@pytest.mark.parametrize("first", [["text", "Text", "label"], ["text", "label", "LABEL"]])
def test_a_column_that_stands_twice_is_refused(first: list[str]) -> None:
    with pytest.raises(BadFile, match=r"t\.tsv:1: two columns hold '(text|label)'"):
        named(first)


def test_columns_that_are_not_read_may_stand_twice() -> None:
    assert named(["text", "year", "year"]) == (["text", "year", "year"], True)


def test_a_label_column_that_the_recipe_names_may_be_missing() -> None:
    assert named(["abstract"], {"text": "abstract", "label": "topic"}) == (["text"], True)
    assert named(["text", "year"], {"label": "topic"}) == (["text", "year"], True)


@pytest.mark.parametrize(
    ("first", "columns", "missing"),
    [
        (["topic"], {"text": "abstract", "label": "topic"}, "abstract"),
        (["abstract"], {"text": "abstract", "id": "pmid", "label": "topic"}, "pmid"),
        (["A cell."], {"label": "topic"}, "topic"),  # nothing says that this is a header
    ],
)
def test_other_columns_that_the_recipe_names_must_be_there(
    first: list[str], columns: dict[str, str], missing: str
) -> None:
    with pytest.raises(BadFile, match=rf"t\.tsv:1: there is no column '{missing}', found {first[0]}"):
        named(first, columns)


def test_the_column_of_what_is_right_is_the_one_that_the_recipe_names() -> None:
    assert answer_column({"text": "abstract", "label": "topic"}) == "topic"
    assert answer_column({"sentence1": "a", "score": "3"}) == "3"
    assert [answer_column(columns) for columns in (None, {}, {"text": "abstract"})] == [None, None, None]


@pytest.mark.parametrize("columns", [None, {"text": "1", "label": "2"}])
def test_a_header_with_unknown_names_is_not_learned_as_a_row(tmp_path: Path, columns: dict[str, str] | None) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path, "abstract_text\ttopic", ROWS, columns)

    assert "t.tsv:1: abstract_text, topic looks like a header" in refused.value.problem
    assert "none has the label 'topic'" in refused.value.problem
    assert '`text.columns = { text = "abstract_text", label = "topic" }`' in refused.value.remedy


def test_an_unknown_header_is_found_beside_columns_that_are_not_read(tmp_path: Path) -> None:
    rows = tuple((str(number), text, label) for number, (text, label) in enumerate(ROWS))

    with pytest.raises(BadFile, match=", body, topic looks like a header"):  # as pandas writes its index
        read(tmp_path, "\tbody\ttopic", rows, {"text": "2", "label": "3"})


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        ("ataxia\tdisease", ROWS),  # its label is one of the others'
        ("ataxia\t1", ROWS),  # no name
        ("no cause\ttopic", ROWS),  # a text like the others
        ("ataxia\tsymptom", (("aspirin", "chemical"), *ROWS)),  # others are single words, too
        ("ataxia\tsymptom", ROWS[:7]),  # too few to be certain
        ("ataxia\tsymptom", tuple((text, f"label{number // 2}") for number, (text, _) in enumerate(ROWS))),  # rare ones
        ("ataxia\t", ROWS),  # without a label, where there may be several
    ],
)
def test_what_may_be_a_row_is_one(tmp_path: Path, first: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert read(tmp_path, first, rows) == len(rows) + 1


def test_texts_without_labels_are_no_header(tmp_path: Path) -> None:
    assert read(tmp_path, "abstract_text", tuple((text,) for text, _ in ROWS)) == 9
