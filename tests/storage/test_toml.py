"""TOML files are read, and plain values are written as TOML."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.storage.toml import parse_toml, read_toml, toml_text
from tests.piping import piped


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"epochs": 3, "rate": 2e-5, "is_fast": True, "names": ["a", "b"], "empty": []},
        {"loss": {"name": "focal", "weights": {"B-Cell line": 2.0}}, "epochs": 3},
        {"sources": [{"data": "a", "loss": {"name": "dice"}}, {"data": "b"}]},
        {"text": 'quotes ", backslash \\, tab \t, line\nbreak, DEL \x7f, ü, \U0001f9ec', "odd key.": 1},
    ],
)
def test_what_is_written_is_read_back(values: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(toml_text(values), encoding="utf-8")

    assert read_toml(path) == values


def test_settings_come_before_sections() -> None:
    text = toml_text({"loss": {"name": "focal"}, "epochs": 3})

    assert text == 'epochs = 3\n\n[loss]\nname = "focal"\n'
    assert tomllib.loads(text) == {"loss": {"name": "focal"}, "epochs": 3}


@pytest.mark.parametrize(
    ("content", "message"), [(b"epochs = ", "this is not TOML"), (b'a = "\xff"', "this is not TOML")]
)
def test_a_file_that_is_not_toml_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(content)

    with pytest.raises(BadFile, match=rf"a\.toml: {message}"):
        read_toml(tmp_path / "a.toml")


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"a\.toml: cannot be read \(No such file"):
        read_toml(tmp_path / "a.toml")


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000, '{a="b", a="c"}'])
def test_numbers_of_many_digits_and_deep_brackets_are_refused(value: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(f"a = {value}\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"recipe\.toml: "):
        read_toml(path)


def test_a_recipe_may_come_through_a_pipe() -> None:
    with piped(b"a = 1\n") as path:
        assert read_toml(path) == read_toml(path) == {"a": 1}


@pytest.mark.parametrize(
    "text", ["{key}.a = 1", "[{key}]", "[[ {key} ]]", "x = {{ y = 1, {key} = 1 }}", "x = {{{key}=1}}"]
)
@pytest.mark.parametrize("part", ["a.", 'a . "b c".', "'b'. "])
def test_a_key_of_many_parts_is_refused_before_it_takes_long(text: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("y = 1\n" + text.format(key=part * 20_000 + "a"), encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.toml: this is not TOML \(the key in line 2 has more than 20 parts\)"):
        read_toml(tmp_path / "a.toml")


def test_dots_elsewhere_are_no_key() -> None:
    dots = "a." * 100

    assert parse_toml(f"# {dots}\nx = '{dots}'\ny = ['{dots}']\n{dots[:39]} = 1\n")["x"] == dots


def test_a_file_that_is_longer_than_settings_are_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("# 34567\n" * 125_001, encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.toml: is longer than 1 MB"):
        read_toml(tmp_path / "a.toml")
