from pathlib import Path

from tools.site.__main__ import SHIM, keep_markdown, mend_pages


def test_pages_load_our_own_script_instead_of_one_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.html").write_text(f'<script src="{SHIM}"></script>', encoding="utf-8")

    mend_pages(tmp_path)

    assert (tmp_path / "a" / "b.html").read_text(encoding="utf-8") == '<script src="../assets/file-worker.js"></script>'


def test_the_markdown_of_a_page_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "pages" / "a").mkdir(parents=True)
    (tmp_path / "built" / "a").mkdir(parents=True)
    (tmp_path / "pages" / "a" / "b.md").write_text("# B", encoding="utf-8")

    keep_markdown(tmp_path / "pages", tmp_path / "built")

    assert (tmp_path / "built" / "a" / "b.md").read_text(encoding="utf-8") == "# B"


def test_a_bar_in_a_cell_is_shown_without_its_backslash(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(r"<td><code>A\|B</code></td> <pre>grep 'a\|b'</pre>", encoding="utf-8")

    mend_pages(tmp_path)

    assert page.read_text(encoding="utf-8") == r"<td><code>A|B</code></td> <pre>grep 'a\|b'</pre>"
