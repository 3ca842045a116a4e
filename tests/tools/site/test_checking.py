from pathlib import Path

from tools.site.checking import find_problems


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_links_and_anchors_that_are_there_are_no_problem(tmp_path: Path) -> None:
    write(
        tmp_path, "a.html", '<h1 id="x">A</h1><a href="b/c.html#y">c</a><a href="#x">x</a><a href="https://x.org">x</a>'
    )
    write(tmp_path, "b/c.html", '<h1 id="y">C</h1><a href="../a.html">a</a><link rel="canonical" href="https://x.org">')

    assert not find_problems(tmp_path)


def test_a_missing_file_a_missing_anchor_and_a_foreign_script_are_told(tmp_path: Path) -> None:
    write(tmp_path, "a.html", '<a href="b.html">b</a><a href="#y">y</a><script src="https://x.org/y.js"></script>')

    assert find_problems(tmp_path) == [
        "a.html: loads https://x.org/y.js, which is not part of the site",
        "a.html: b.html leads nowhere",
        "a.html: #y names an anchor that is not there",
    ]
