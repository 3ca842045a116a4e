from pathlib import Path

from tools.site.rendering import find_differences


def test_a_list_that_only_one_reader_sees_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n- one\n- two\n", encoding="utf-8")
    (tmp_path / "a.html").write_text(
        "<ul></ul><article><h1>A</h1><ul><li>one - two</li></ul></article>", encoding="utf-8"
    )

    assert find_differences(tmp_path, tmp_path) == ["a.md: CommonMark has 2 of <li>, the site 1"]
