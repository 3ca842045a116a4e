from pathlib import Path

from tools.pictures.drawings import DRAWINGS, EXAMPLE, FOLDER, draw_all


def test_the_drawings_of_the_repository_are_what_the_program_draws(tmp_path: Path) -> None:
    draw_all(tmp_path)

    drawn = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert len(drawn) == 2 * len(DRAWINGS)
    assert drawn == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}


def test_the_mentions_of_the_example_are_whole_names() -> None:
    assert [text for _, text in EXAMPLE.mentions()] == ["heart failure", "doxorubicin"]
