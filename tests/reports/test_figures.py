"""Figures: their style, and PNG files that are always complete."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.reports.figures import new_figure, save, style_axes, write_message

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_figure_is_written_as_png_in_a_new_folder_with_nothing_beside_it(tmp_path: Path) -> None:
    save(new_figure(2, 1), tmp_path / "new" / "a.png")

    content = (tmp_path / "new" / "a.png").read_bytes()
    assert content.startswith(PNG)
    assert int.from_bytes(content[16:20], "big") == 240  # two inches of 120 dots
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.png"]


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("old", encoding="utf-8")

    save(new_figure(1, 1), path)

    assert path.read_bytes().startswith(PNG)


def test_the_same_figure_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        save(new_figure(1, 1), tmp_path / name)

    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_for_print_there_are_pdf_and_svg_beside_it_always_the_same(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        save(new_figure(1, 1), tmp_path / folder / "plot.png", is_for_print=True)

    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("one", "two")
    )
    assert first == second
    assert sorted(first) == ["plot.pdf", "plot.png", "plot.svg"]
    assert first["plot.pdf"].startswith(b"%PDF")
    assert b"<svg" in first["plot.svg"]


def test_a_path_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.png: cannot be written") as refused:
        save(new_figure(1, 1), tmp_path / "file" / "a.png")

    assert "permissions" in refused.value.remedy


def test_axes_have_title_labels_and_no_frame_above_and_to_the_right() -> None:
    axes = new_figure(2, 2).subplots()

    style_axes(axes, "Loss", "step", "training loss")

    assert (axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()) == ("Loss", "step", "training loss")
    assert [axes.spines[side].get_visible() for side in ("left", "bottom", "top", "right")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_message_is_in_the_middle_of_axes_without_data() -> None:
    axes = new_figure(2, 2).subplots()

    write_message(axes, "nothing recorded")

    (text,) = axes.texts
    assert (text.get_text(), text.get_position()) == ("nothing recorded", (0.5, 0.5))
