"""A resumed job tells which files of its folder are gone or new."""

from pathlib import Path

from linnet.annotation.input_names import describe_changes, keep_names
from linnet.contracts import Notes
from linnet.formats.inputs.reading import list_inputs


def test_files_that_are_gone_or_new_are_named(tmp_path: Path) -> None:
    folder, work = tmp_path / "in", tmp_path / "out.work"
    work.mkdir()
    for name in ("a.txt", "b/x.txt", "b.txt", "d.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text", encoding="utf-8")
    keep_names(work, list_inputs(folder, format=None, notes=Notes()))

    assert describe_changes(work, list_inputs(folder, format=None, notes=Notes())) == ""

    (folder / "b.txt").unlink()
    (folder / "d.txt").unlink()
    (folder / "c.txt").write_text("text", encoding="utf-8")
    files = list_inputs(folder, format=None, notes=Notes())
    keep_names(work, files)  # as a resumed job does
    assert describe_changes(work, files) == (
        f"{folder / 'b.txt'} and 1 more are gone since the job was begun, "
        f"{folder / 'c.txt'} is new since the job was begun"
    )


def test_a_single_file_has_its_name_in_the_job(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text", encoding="utf-8")
    files = list_inputs(tmp_path / "a.txt", format=None, notes=Notes())

    keep_names(tmp_path, files)

    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
    assert describe_changes(tmp_path, files) == ""
