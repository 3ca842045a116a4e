"""How things are found by name."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any, Protocol

import pytest

from linnet import registry as registry_module
from linnet.contracts import formats, losses, tasks, weighting_schemes
from linnet.errors import BadPlugin, UnknownName
from linnet.metrics.mentions.matching import matchings
from linnet.registry import Registry


def empty() -> Registry[int]:
    return Registry("number", home="linnet.documents")


def test_what_is_registered_is_found_and_the_decorator_gives_it_back() -> None:
    registry: Registry[str] = Registry("word", home="linnet.documents")

    assert registry.register("one")("eins") == "eins"
    assert registry.get("one") == "eins"


def test_names_are_sorted() -> None:
    registry = empty()
    for name in ("b", "c", "a"):
        registry.register(name)(1)

    assert registry.names() == ["a", "b", "c"]


def test_an_unknown_name_answers_with_the_nearest_known_one() -> None:
    registry = empty()
    registry.register("pubtator")(1)
    registry.register("brat")(2)

    with pytest.raises(UnknownName, match="no number called 'pubtater'") as caught:
        registry.get("pubtater")

    assert caught.value.remedy == "did you mean 'pubtator'? known: brat, pubtator"


def test_a_name_belongs_to_one_thing() -> None:
    registry = empty()
    registry.register("a")(1)

    with pytest.raises(BadPlugin, match="the number 'a' has the same name as another one"):
        registry.register("a")(2)


def test_the_same_thing_may_be_registered_again() -> None:
    registry = empty()
    registry.register("a")(1)
    registry.register("a")(1)

    assert registry.names() == ["a"]


def test_a_registry_fills_itself_from_every_module_of_its_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home_of_numbers"
    home.mkdir()
    (home / "__init__.py").write_text(
        "from linnet.registry import Registry\nnumbers = Registry('number', home=__name__)\n"
    )
    for name in ("two", "one"):
        (home / f"{name}.py").write_text(f"from home_of_numbers import numbers\nnumbers.register('{name}')('{name}')\n")
    monkeypatch.syspath_prepend(tmp_path)

    import home_of_numbers  # type: ignore[import-not-found]  # made above

    assert home_of_numbers.numbers.names() == ["one", "two"]
    for name in [name for name in sys.modules if name.startswith("home_of_numbers")]:
        monkeypatch.delitem(sys.modules, name)


def test_other_packages_announce_theirs_as_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def announced(group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("pi", "math:pi", group)])

    monkeypatch.setattr(registry_module, "entry_points", announced)
    registry: Registry[float] = Registry("strange number", home="linnet.documents")

    assert registry.group == "linnet.strange_number"
    assert 3 < registry.get("pi") < 4


def test_a_package_that_cannot_be_imported_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def announced(group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("odd", "no_such_package.numbers:ODD", group)])

    monkeypatch.setattr(registry_module, "entry_points", announced)
    registry: Registry[int] = Registry("strange number", home="linnet.documents")

    with pytest.raises(BadPlugin, match="the strange number 'odd' of the package 'no_such_package") as refused:
        registry.names()

    assert "pip uninstall" in refused.value.remedy


class Odd(Protocol):
    """The contract of an odd number."""

    name: str

    def half(self) -> float:
        """Return half of it."""
        ...


class Three:
    """An odd number."""

    name = "three"

    def half(self) -> float:
        """Return half of it."""
        return 1.5


class Nameless:
    """Nothing that a contract asks for."""


THREE, NAMELESS = Three(), Nameless()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("three", "Three", "is the class Three"),
        ("three", "NAMELESS", "has no half, name"),
        ("five", "THREE", "calls itself 'three'"),
        ("one", "THREE", "has the same name as another one, builtins.int"),
    ],
)
def test_a_package_that_announces_something_unusable_is_named_with_what_to_do(
    name: str, value: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def announced(group: str) -> EntryPoints:
        return EntryPoints([EntryPoint(name, f"{__name__}:{value}", group)])

    monkeypatch.setattr(registry_module, "entry_points", announced)
    registry: Registry[object] = Registry("odd number", home="linnet.documents", contract=Odd)
    registry.register("one")(1)

    with pytest.raises(BadPlugin, match=f"the odd number {name!r} of the package '{__name__}' {problem}") as refused:
        registry.names()

    assert "pyproject.toml" in refused.value.remedy or "Odd" in refused.value.remedy


def test_what_a_package_announces_and_registers_itself_is_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    def announced(group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("three", f"{__name__}:THREE", group)])

    monkeypatch.setattr(registry_module, "entry_points", announced)
    registry: Registry[object] = Registry("odd number", home="linnet.documents", contract=Odd)
    registry.register("three")(THREE)

    assert registry.names() == ["three"]


@pytest.mark.parametrize("registry", [formats, tasks])
def test_a_class_is_not_registered_in_place_of_an_object(registry: Registry[Any]) -> None:
    with pytest.raises(BadPlugin, match="is the class Three") as refused:
        registry.register("three")(Three)

    assert "Three()" in refused.value.remedy


def test_a_home_that_cannot_be_imported_fails_every_time() -> None:
    registry: Registry[int] = Registry("number", home="linnet.there_is_no_such_module")

    for _ in range(2):
        with pytest.raises(ModuleNotFoundError):
            registry.names()


def test_the_promised_formats_and_schemes_are_there() -> None:
    assert {"conll", "pubtator", "bioc-xml", "bioc-json", "brat", "jsonl"} <= set(formats.names())
    assert {"none", "ins", "isns", "ens", "welt"} <= set(weighting_schemes.names())


@pytest.mark.parametrize("name", formats.names())
def test_a_format_is_registered_under_its_own_name_and_describes_itself(name: str) -> None:
    found = formats.get(name)

    assert found.name == name
    assert found.description
    assert "\n" not in found.description
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in found.suffixes)


def test_a_name_is_found_in_any_letter_case_and_given_back_in_lower_case() -> None:
    registry = empty()
    registry.register("WeLT")(1)

    assert registry.get("WELT") == registry.get("welt") == 1
    assert registry.canonical("Welt") == "welt"
    assert registry.names() == ["welt"]


def test_names_that_differ_in_letter_case_only_are_one_name() -> None:
    registry = empty()
    registry.register("a")(1)

    with pytest.raises(BadPlugin, match="the number 'a' has the same name as another one"):
        registry.register("A")(2)


@pytest.mark.parametrize("registry", [formats, weighting_schemes, losses, matchings, tasks])
def test_everything_registered_is_found_in_capitals(registry: Registry[object]) -> None:
    if registry is losses:
        pytest.importorskip("torch")
    for name in registry.names():
        assert registry.get(name.upper()) is registry.get(name)
