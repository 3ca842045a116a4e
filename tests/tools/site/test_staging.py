from pathlib import Path

from tools.site.pages import ROOT
from tools.site.staging import GENERATED, stage


def test_all_pages_and_the_files_they_link_to_are_collected(tmp_path: Path) -> None:
    places = stage(tmp_path / "pages")

    assert {*GENERATED, "index.md", "tours/index.md", "models/bio.md"} <= set(places)
    assert all((tmp_path / "pages" / place).is_file() for place in places)
    assert (tmp_path / "pages" / "files" / "recipes" / "demo.toml").is_file()
    listed = (tmp_path / "pages" / "llms.txt").read_text(encoding="utf-8")
    assert all(f"({place}): " in listed for place in places)


def test_every_page_stands_in_the_navigation(tmp_path: Path) -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]

    missing = [place for place in stage(tmp_path / "pages") if f": {place}\n" not in navigation]

    assert not missing
