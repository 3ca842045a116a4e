"""The contract of linking."""

from pathlib import Path

from linnet.contracts.linking import LINKING, NamedVocabulary, linkings


def test_a_vocabulary_may_be_for_one_label(tmp_path: Path) -> None:
    (tmp_path / "a=b").mkdir()

    assert NamedVocabulary.parse("Disease=v") == ("Disease", "v")
    assert NamedVocabulary.parse("v") == ("", "v")
    assert NamedVocabulary.parse(str(tmp_path / "a=b")) == ("", str(tmp_path / "a=b"))


def test_paths_become_absolute_and_names_stay(tmp_path: Path) -> None:
    assert NamedVocabulary("Disease", ".").with_absolute_path() == f"Disease={Path.cwd()}"
    assert NamedVocabulary("", str(tmp_path / "missing")).with_absolute_path() == str(tmp_path / "missing")
    assert NamedVocabulary("", "demo").with_absolute_path() == "demo"


def test_the_room_is_found_by_its_name() -> None:
    assert linkings.get(LINKING).name == LINKING
