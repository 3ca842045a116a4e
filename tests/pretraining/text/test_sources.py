"""Text sources: which files are read, what their documents are, and what is refused."""

import gzip
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile, LinnetError
from linnet.pretraining.text.sources import LINES, PLAIN, find_texts, read_texts
from tests.shared_data import SHARED, needs_shared


def documents(*sources: Path) -> list[list[str]]:
    notes = Notes()
    return [lines for file in find_texts([str(each) for each in sources], notes) for lines in read_texts(file, notes)]


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_blank_lines_end_documents_where_there_are_any(tmp_path: Path) -> None:
    text = write(tmp_path / "a.txt", "\n\nOne.\nTwo.\n\n  \nThree.\r\n\r\n")

    assert documents(text) == [["One.", "Two."], ["Three."]]


def test_each_line_is_a_document_without_blank_lines_between_lines(tmp_path: Path) -> None:
    text = write(tmp_path / "a.txt", "\nOne.\nTwo.\nThree.\n\n")

    assert documents(text) == [["One."], ["Two."], ["Three."]]
    assert [file.format for file in find_texts([str(text)], Notes())] == [LINES]


def test_compressed_files_are_read_as_what_they_hold(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    content = b"One.\n\nTwo.\n"
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(content))
    (tmp_path / "b.txt.zst").write_bytes(zstandard.ZstdCompressor().compress(content))

    assert documents(tmp_path) == [["One."], ["Two."], ["One."], ["Two."]]


def test_a_folder_is_read_in_the_order_of_names_and_other_files_are_noted(tmp_path: Path) -> None:
    write(tmp_path / "b" / "c.txt", "Third.\n")
    write(tmp_path / "a.txt", "First.\nSecond.\n")
    write(tmp_path / "README.md", "About this.\n")
    write(tmp_path / "meta.json", '{"name": "x"}')
    write(tmp_path / "meta.xml", "<x/>")
    write(tmp_path / "table.tsv", "name\tvalue\nx\t5\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\xff")
    (tmp_path / "empty.txt").touch()
    notes = Notes()

    found = find_texts([str(tmp_path), str(tmp_path / "a.txt")], notes)

    assert [file.path.name for file in found] == ["a.txt", "c.txt"]
    assert notes.counts == {
        "files of the folder left aside": 5,
        "files without text": 1,
        "files named twice, read once": 1,
    }


def test_corpus_formats_give_their_documents_with_passages_as_lines(tmp_path: Path) -> None:
    write(tmp_path / "a.pubtator", "1|t|A title\n1|a|An abstract. It goes on.\n\n2|t|Another\n2|a|Text\n")

    assert documents(tmp_path) == [["A title", "An abstract. It goes on."], ["Another", "Text"]]


def test_pubmed_xml_is_text_too(tmp_path: Path) -> None:
    article = "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A title.</ArticleTitle><Abstract>"
    article += "<AbstractText>An abstract.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
    path = write(tmp_path / "a.xml", f"<?xml version='1.0'?><PubmedArticleSet>{article}</PubmedArticleSet>")

    assert documents(path) == [["A title.", "An abstract."]]


def test_token_rows_without_document_marks_make_documents_of_ten_sentences(tmp_path: Path) -> None:
    write(tmp_path / "train.tsv", "".join(f"Number\tO\n{n}\tO\n\n" for n in range(25)))

    found = documents(tmp_path)

    assert [len(lines) for lines in found] == [10, 10, 5]
    assert found[1][0] == "Number 10"


def test_token_rows_with_document_marks_keep_their_documents(tmp_path: Path) -> None:
    write(tmp_path / "train.tsv", "-DOCSTART-\tO\n\nOne\tO\n\n-DOCSTART-\tO\n\nTwo\tO\n\n")

    assert documents(tmp_path) == [["One"], ["Two"]]


def test_brat_folders_are_text(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "A rare disease.\n")
    write(tmp_path / "a.ann", "T1\tDisease 2 14\trare disease\n")

    assert documents(tmp_path) == [["A rare disease."]]


def test_text_that_is_not_utf8_is_refused_with_file_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"Fine.\nNa" + b"\xefve\n")

    with pytest.raises(BadFile, match=r"latin\.txt: this is not UTF-8 text \(byte 8 is ef: .*\)") as caught:
        find_texts([str(tmp_path)], Notes())

    assert "iconv" in caught.value.remedy


def test_utf16_is_refused_with_file_and_byte(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Text".encode("utf-16-le"))

    with pytest.raises(BadFile, match=r"a\.txt: found a NUL character \(byte 1\)"):
        find_texts([str(tmp_path)], Notes())


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff")
    (tmp_path / "b.txt").write_bytes(b"\xfe")

    with pytest.raises(BadFile, match=r"(?s)a\.txt.*b\.txt.*nowhere"):
        find_texts([str(tmp_path), str(tmp_path / "nowhere")], Notes())


def test_a_source_without_text_is_reported_with_the_problems_of_others(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    (tmp_path / "empty").mkdir()
    sources = [str(tmp_path / name) for name in ("bad.txt", "empty")]

    for order in (sources, sources[::-1]):
        with pytest.raises(BadFile) as caught:
            find_texts(order, Notes())
        assert "bad.txt: this is not UTF-8" in caught.value.problem
        assert "empty: the folder has no text" in caught.value.problem


def test_a_folder_with_unreadable_files_only_is_not_reported_as_empty_too(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff")

    with pytest.raises(BadFile) as caught:
        find_texts([str(tmp_path)], Notes())

    assert "no text" not in caught.value.problem


def test_folders_that_the_run_writes_to_are_left_aside(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "Text.\n")
    write(tmp_path / "runs" / "own-text" / "cleaned-1" / "text.txt", "Text.\n")
    write(tmp_path / "runs" / "other.txt", "More text.\n")
    notes = Notes()

    found = find_texts([str(tmp_path)], notes, own=[(tmp_path / "runs" / "own-text").resolve()])

    assert [file.path.name for file in found] == ["a.txt", "other.txt"]
    assert notes.counts == {"folders that runs write to, left aside": 1}


def test_a_folder_or_file_without_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\xff")
    empty = write(tmp_path / "empty.md", " \n")

    with pytest.raises(BadFile, match="the folder has no text"):
        find_texts([str(tmp_path)], Notes())
    with pytest.raises(BadFile, match="the file is empty"):
        find_texts([str(empty)], Notes())


@needs_shared
def test_the_articles_of_the_trial_reports_are_separate_documents() -> None:
    (file,) = find_texts([str(SHARED / "data" / "text" / "pmc-trials.txt")], Notes())

    n_documents = sum(1 for _ in read_texts(file, Notes()))

    assert (file.format, n_documents) == (PLAIN, 1158)  # as many as `grep -c ^TITLE:` finds


def test_folders_of_earlier_runs_are_left_aside(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "One.\n\nTwo.\n")
    write(tmp_path / "runs" / "old" / "recipe.toml", 'output = "runs/old"\n')
    write(tmp_path / "runs" / "old" / "history.jsonl", '{"epoch": 1}\n')
    write(tmp_path / "runs" / "old-text" / "cleaned-0123456789abcdef" / "text.txt", "Again.\n")
    write(tmp_path / "with-a-recipe" / "recipe.toml", 'output = "runs/new"\n')
    write(tmp_path / "with-a-recipe" / "b.txt", "Three.\n\nFour.\n")
    write(tmp_path / "with-a-recipe" / "tokens-0123456789abcdef.part" / "c.txt", "Again.\n")
    notes = Notes()

    found = find_texts([str(tmp_path)], notes)

    assert [file.path.name for file in found] == ["a.txt", "b.txt"]
    assert notes.counts == {"folders that runs write to, left aside": 3, "files of the folder left aside": 1}


def test_hidden_files_are_counted_among_what_is_left_aside(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "One.\n")
    write(tmp_path / ".hidden.txt", "Two.\n")
    write(tmp_path / ".git" / "c.txt", "Three.\n")
    notes = Notes()

    assert [file.path.name for file in find_texts([str(tmp_path)], notes)] == ["a.txt"]
    assert notes.counts == {"files of the folder left aside": 2}


def test_only_whole_names_say_that_a_file_is_about_the_others(tmp_path: Path) -> None:
    for name in ("guideline-abstracts.txt", "licensed.txt", "README.txt", "LICENCE", "guidelines.v2.txt"):
        write(tmp_path / name, "One.\n")

    found = find_texts([str(tmp_path)], Notes())

    assert [file.path.name for file in found] == ["guideline-abstracts.txt", "licensed.txt"]


@pytest.mark.parametrize("content", ["\ufeff", "\ufeff \n", "\u00a0\n\u2003\n"])
def test_a_file_of_marks_and_spaces_has_no_text(tmp_path: Path, content: str) -> None:
    write(tmp_path / "a.txt", "One.\n")
    write(tmp_path / "b.txt", content)
    notes = Notes()

    assert [file.path.name for file in find_texts([str(tmp_path)], notes)] == ["a.txt"]
    assert notes.counts == {"files without text": 1}


def test_lines_of_any_white_space_are_blank(tmp_path: Path) -> None:
    text = write(tmp_path / "a.txt", "One.\nTwo.\n\u00a0\nThree.\n")

    assert documents(text) == [["One.", "Two."], ["Three."]]


def test_a_corpus_file_that_cannot_be_read_is_refused_before_any_text_is(tmp_path: Path) -> None:
    row = '{"id": "1", "text": "One.", "spans": []}\n'
    broken = write(tmp_path / "z.jsonl", f'{row}{row.replace("1", "2", 1)}{{"id": 5}}\n')

    with pytest.raises(BadFile, match=r"z\.jsonl:3"):
        find_texts([str(broken)], Notes())


def test_the_texts_of_a_brat_folder_are_counted(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / f"{name}.txt", "One.\n")
        write(tmp_path / f"{name}.ann", "")
    (tmp_path / "._a.ann").write_bytes(b"\xff\0")  # as some systems leave it behind

    assert [file.n_files for file in find_texts([str(tmp_path)], Notes())] == [2]


def test_a_closed_folder_is_reported_with_what_else_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "closed" / "a.txt", "One.\n")
    (tmp_path / "wrong.txt").write_bytes(b"\xff\n")

    def refuse_closed(path: Path) -> None:
        if path.name == "closed":
            raise BadFile(f"{path}: cannot be looked at (Permission denied)", "check the permissions")

    monkeypatch.setattr("linnet.pretraining.text.sources.check_path", refuse_closed)
    with pytest.raises(LinnetError, match=r"(?s)closed: cannot be looked at.*not UTF-8"):
        find_texts([str(tmp_path)], Notes())


def test_circular_links_in_a_folder_and_in_its_recipes_are_left_out(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "recipe.toml").write_text(f'output = "{tmp_path / "loop"}"\n', encoding="utf-8")

    assert [file.path.name for file in find_texts([str(tmp_path)], Notes())] == ["a.txt"]
    with pytest.raises(BadFile, match="loop"):
        find_texts([str(tmp_path / "loop")], Notes())
