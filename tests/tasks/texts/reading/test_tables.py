"""Rows of tables: named columns, each with its place, and nothing that does not fit passes."""

import gzip
from csv import field_size_limit
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.tasks.texts.reading.tables import Row, read_rows, split_files

LAYOUTS = (("text", "label"), ("id", "text", "label"), ("text",))


def written(folder: Path, content: str, name: str = "train.tsv") -> Path:
    (folder / name).write_text(content, encoding="utf-8")
    return folder / name


def values(path: Path, columns: dict[str, str] | None = None) -> list[dict[str, object]]:
    return [dict(row.values) for row in read_rows(path, LAYOUTS, columns)]


def test_a_layout_is_chosen_by_the_number_of_columns(tmp_path: Path) -> None:
    assert values(written(tmp_path, "A cell.\tyes\n")) == [{"text": "A cell.", "label": "yes"}]
    assert values(written(tmp_path, "7\tA cell.\tyes\n")) == [{"id": "7", "text": "A cell.", "label": "yes"}]


def test_a_folder_of_documents_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"is a folder, expected a table[\s\S]*the tasks ner and relations"):
        values(tmp_path)


def test_a_header_names_columns_in_any_order_and_number(tmp_path: Path) -> None:
    found = values(written(tmp_path, "label\tyear\ttext\nyes\t2001\tA cell.\n"))

    assert found == [{"label": "yes", "year": "2001", "text": "A cell."}]


def test_each_row_has_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "text\tlabel\n\nA.\tyes\n   \nB.\tno\n")

    assert [row.place for row in read_rows(path, LAYOUTS)] == [f"{path}:3", f"{path}:5"]


def test_quotes_are_characters_in_tsv_and_quotes_in_csv(tmp_path: Path) -> None:
    tsv = values(written(tmp_path, '"A, b\tyes\n'))
    csv = values(written(tmp_path, '"A, ""b""",yes\n', "train.csv"))

    assert tsv == [{"text": '"A, b', "label": "yes"}]
    assert csv == [{"text": 'A, "b"', "label": "yes"}]


def test_quotes_that_a_program_put_into_a_tsv_are_taken_off(tmp_path: Path) -> None:
    # as Python's csv.writer with tabs writes BLUE's tables
    found = values(written(tmp_path, 'text\tlabel\n"the ""red"" cell"\tyes\n"""a"""\tno\nplain\tno\n'))

    assert [row["text"] for row in found] == ['the "red" cell', '"a"', "plain"]


@pytest.mark.parametrize(
    "text", ['the ""red"" cell', '"red" and "blue"', '"a quotation"', '5" long', '"the ""red"" cell"\tno\nof 5"']
)
def test_quotes_that_do_not_all_come_from_a_program_stay(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, f"{text}\tyes\n")

    assert "".join(str(row["text"]) for row in values(path)) == text.replace("\tno\n", "")


def test_a_value_of_several_lines_is_read_from_csv(tmp_path: Path) -> None:
    path = written(tmp_path, 'text,label\n"one\ntwo",yes\nthree,no\n', "train.csv")

    first, second = read_rows(path, LAYOUTS)

    assert first.values["text"] == "one\ntwo"
    assert [Path(row.place).name for row in (first, second)] == ["train.csv:2", "train.csv:4"]  # where they begin


@pytest.mark.parametrize("name", ["train.jsonl", "train.ndjson", "train.json", "train.txt"])
def test_json_lines_bring_their_names(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, '{"text": "A.", "label": 1}\n\n{"text": "B."}', name)

    assert values(path) == [{"text": "A.", "label": 1}, {"text": "B."}]


def test_packed_tables_are_read_by_the_suffix_beneath(tmp_path: Path) -> None:
    path = tmp_path / "train.csv.gz"
    path.write_bytes(gzip.compress(b'"A, b",yes\n'))

    assert values(path) == [{"text": "A, b", "label": "yes"}]


def test_columns_may_be_named_or_numbered_by_the_recipe(tmp_path: Path) -> None:
    named = values(written(tmp_path, "abstract\ttopic\nA.\tyes\n"), {"text": "abstract", "label": "topic"})
    numbered = values(written(tmp_path, "x\tyes\ty\tA.\n"), {"text": "4", "label": "2"})

    assert named == [{"text": "A.", "label": "yes"}]
    assert {key: numbered[0][key] for key in ("text", "label")} == {"text": "A.", "label": "yes"}


def test_a_header_is_known_in_any_case(tmp_path: Path) -> None:
    assert values(written(tmp_path, "Label\tTEXT\nyes\tA.\n")) == [{"text": "A.", "label": "yes"}]


def test_a_header_above_numbered_columns_is_no_row(tmp_path: Path) -> None:
    (found,) = values(written(tmp_path, "Sentence\tClass\nA.\tyes\n"), {"text": "1", "label": "2"})

    assert found == {"text": "A.", "label": "yes"}


def test_a_label_may_be_a_whole_number_in_json(tmp_path: Path) -> None:
    rows = list(read_rows(written(tmp_path, '{"label": 1}\n{"label": "no"}\n{"label": true}\n', "t.jsonl"), LAYOUTS))

    assert [row.label("gold", "label") for row in rows[:2]] == ["1", "no"]
    with pytest.raises(BadFile, match=r"t.jsonl:3: 'label' is True"):
        rows[2].label("label")


def test_a_column_with_our_name_gives_way_to_the_one_that_is_named(tmp_path: Path) -> None:
    found = values(written(tmp_path, "text\tabstract\tlabel\nno\tA.\tyes\n"), {"text": "abstract"})

    assert {key: found[0][key] for key in ("text", "label")} == {"text": "A.", "label": "yes"}


@pytest.mark.parametrize(
    ("content", "name", "columns", "message"),
    [
        ("a\tb\tc\td\n", "t.tsv", None, "t.tsv:1: found 4 columns, expected 2 .text, label. or 3"),
        ("Sentence\tClass\nA.\tyes\n", "t.tsv", None, "t.tsv:1: a header with the columns Sentence, Class, expected 2"),
        ("A.\tyes\nB.\n", "t.tsv", None, "t.tsv:2: found 1 columns, expected 2"),
        ("text,label\nA.,yes,no\n", "t.csv", None, "t.csv:2: found 3 columns, expected 2"),
        ('text,label\n"A.,yes\n', "t.csv", None, "t.csv:2: broken CSV"),
        ('text,label\n"A.,yes\nB.,no\n', "t.csv", None, "t.csv:2: broken CSV"),
        ("text,label\rA.,yes\r", "t.csv", None, "t.csv: the lines end with a carriage return alone"),
        ("A.\rB.\r", "t.tsv", None, "t.tsv: the lines end with a carriage return alone"),
        ('{"text": "A."}\n{"text": \n', "t.jsonl", None, "t.jsonl:2: broken JSON"),
        ('["A."]\n', "t.jsonl", None, "t.jsonl:1: found a JSON array, expected an object"),
        ('[{"text": "A."},\n{"text": "B."}]\n', "t.json", None, "t.json:1: found a JSON array, expected an object"),
        ('[\n  {"text": "A."}\n]\n', "t.txt", None, "t.txt:1: found a JSON array, expected an object"),
        ('"A."\n', "t.jsonl", None, "t.jsonl:1: found str, expected an object"),
        ('{"text": "A.", "text": "B."}\n', "t.jsonl", None, "t.jsonl:1: the key 'text' stands twice in one object"),
        ('{"text": ' + "[" * 100_000 + "\n", "t.jsonl", None, "t.jsonl:1: the JSON is nested too deeply"),
        ("A.\tyes\n", "t.tsv", {"text": "abstract"}, "t.tsv:1: there is no column 'abstract', found A., yes"),
        ("", "t.tsv", None, "t.tsv: there are no rows"),
        ("\n \n", "t.tsv", None, "t.tsv: there are no rows"),
        ("", "t.csv", None, "t.csv: there are no rows"),
        ("text\tlabel\n", "t.tsv", None, "t.tsv: there are no rows"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(
    tmp_path: Path, content: str, name: str, columns: dict[str, str] | None, message: str
) -> None:
    with pytest.raises(BadFile, match=message):
        values(written(tmp_path, content, name), columns)


def test_lines_without_values_are_the_same_in_tsv_and_csv(tmp_path: Path) -> None:
    tsv = values(written(tmp_path, "A.\tyes\n\t\n\nB.\tno\n"))
    csv = values(written(tmp_path, "A.,yes\n,\n\nB.,no\n", "train.csv"))

    assert tsv == csv
    assert tsv[1] == {"text": "", "label": ""}  # which the tasks refuse


def test_the_suffix_of_a_table_says_more_than_its_first_character(tmp_path: Path) -> None:
    assert values(written(tmp_path, "{a} b\tyes\n")) == [{"text": "{a} b", "label": "yes"}]
    assert values(written(tmp_path, "{a} b,yes\n", "train.csv")) == [{"text": "{a} b", "label": "yes"}]


@pytest.mark.parametrize("text", ["[Aspirin in mice].", "[[ Aspirin ]] in << mice >>.", "[{(2R)-2-methyl}] in mice."])
def test_texts_may_begin_with_brackets(tmp_path: Path, text: str) -> None:
    assert values(written(tmp_path, f"{text}\tyes\n", "train.txt")) == [{"text": text, "label": "yes"}]


def test_a_value_of_csv_may_be_long(tmp_path: Path) -> None:
    usual = field_size_limit()

    (found,) = values(written(tmp_path, f"text,label\n{'a ' * 70_000},yes\n", "train.csv"))

    assert len(str(found["text"])) == 140_000  # Python's limit is 131,072
    assert field_size_limit() == usual


def test_a_missing_or_wrong_value_is_refused_with_its_place() -> None:
    row = Row({"text": 3, "label": "  "}, "f.jsonl:4")

    with pytest.raises(BadFile, match=r"f\.jsonl:4: 'text' is 3, expected a text"):
        row.text("text")
    with pytest.raises(BadFile, match=r"f\.jsonl:4: 'title' is missing, expected a text"):
        row.text("title")
    with pytest.raises(BadFile, match=r"f\.jsonl:4: 'label' is empty"):
        row.filled_text("sentence", "label")


def test_the_first_column_that_is_there_counts() -> None:
    row = Row({"sentence": "A.", "index": 7}, "f:1")

    assert row.filled_text("text", "sentence") == "A."
    assert row.id("id", "index") == "7"
    assert row.id("id") is None


@pytest.mark.parametrize("value", [True, 1.5, " ", ["a"]])
def test_what_is_no_id_is_refused(value: object) -> None:
    with pytest.raises(BadFile, match="f:1: 'id' is"):
        Row({"id": value}, "f:1").id("id")


def test_splits_are_found_by_their_names_or_named_by_the_recipe(tmp_path: Path) -> None:
    for name in ("train.tsv", "dev.tsv", "4B.json", "5B.json"):
        written(tmp_path, "x\n", name)

    found = split_files(tmp_path, None)
    named = split_files(tmp_path, {"train": ["4B.json", "5B.json"]})

    assert found == {"train": [tmp_path / "train.tsv"], "devel": [tmp_path / "dev.tsv"]}
    assert named == {"train": [tmp_path / "4B.json", tmp_path / "5B.json"]}


def test_splits_that_the_recipe_names_may_have_other_names_but_not_any(tmp_path: Path) -> None:
    for name in ("a.tsv", "b.tsv"):
        written(tmp_path, "x\ty\n", name)

    assert split_files(tmp_path, {"validation": ["a.tsv"]}) == {"devel": [tmp_path / "a.tsv"]}
    with pytest.raises(BadSetting, match="has a split 'tset'") as unknown:
        split_files(tmp_path, {"train": ["a.tsv"], "tset": ["b.tsv"]})
    assert unknown.value.remedy == "there are train, devel, test, train_dev"
    with pytest.raises(BadSetting, match="has the split devel twice, once as 'dev'"):
        split_files(tmp_path, {"devel": ["a.tsv"], "dev": ["b.tsv"]})


def test_a_named_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"6B\.json: there is no such file"):
        split_files(tmp_path, {"test": ["6B.json"]})
