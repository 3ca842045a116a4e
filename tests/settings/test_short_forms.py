"""`--data A+B --eval A`: folders become corpora, one of them the target, and a recipe's corpora find their places."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.short_forms import spread_corpora, spread_pretraining

RECIPE = """
[[corpora]]
name = "a"
data = "corpora/a"
role = "target"
[[corpora]]
name = "b"
data = "corpora/b"
weight = 0.5
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def roles(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(corpus["name"], corpus["data"], corpus["role"]) for corpus in found["corpora"]]


def test_the_first_is_the_target_where_none_is_named() -> None:
    found = spread_corpora("x/ncbi+y/conll/", None, None)

    assert roles(found) == [("ncbi", "x/ncbi", "target"), ("conll", "y/conll/", "auxiliary")]
    assert found["data"] == "x/ncbi"


def test_another_one_can_be_named() -> None:
    found = spread_corpora("x/a+x/b+demo", "b", None)

    assert [role for *_, role in roles(found)] == ["auxiliary", "target", "auxiliary"]
    assert found["data"] == "x/b"


def test_corpora_can_be_given_names() -> None:
    found = spread_corpora("first=x/ner+second=y/ner", "second", None)

    assert roles(found) == [("first", "x/ner", "auxiliary"), ("second", "y/ner", "target")]


def test_one_folder_stays_what_it_is(recipe: Path) -> None:
    assert spread_corpora("x/a", None, None) == {"data": "x/a"}
    assert spread_corpora("x/a", "a", None) == {"data": "x/a"}
    assert spread_corpora("demo", None, None) == {"data": "demo"}
    assert spread_corpora(None, None, None) == {}
    assert spread_corpora(None, None, recipe) == {}


def test_one_folder_that_was_given_a_name_is_one_corpus_of_that_name() -> None:
    found = spread_corpora("conll=x/eng", None, None)

    assert roles(found) == [("conll", "x/eng", "target")]
    assert found["data"] == "x/eng"
    assert spread_corpora("conll=x/eng", "conll", None) == found


def test_a_folder_whose_name_has_a_plus_or_an_equals_sign_is_one_folder(tmp_path: Path) -> None:
    for name in ("a+b", "c=d"):
        (tmp_path / name).mkdir()

    assert spread_corpora(str(tmp_path / "a+b"), None, None) == {"data": str(tmp_path / "a+b")}
    assert spread_corpora(str(tmp_path / "c=d"), None, None) == {"data": str(tmp_path / "c=d")}


def test_a_file_is_called_as_its_folder(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("", encoding="utf-8")

    assert roles(spread_corpora(f"demo+{tmp_path / 'train.tsv'}", None, None))[1][0] == tmp_path.name


def test_the_corpora_of_a_recipe_find_their_places_and_keep_the_rest(recipe: Path) -> None:
    found = spread_corpora("elsewhere/b", None, recipe)
    both = spread_corpora("b=elsewhere/x+z/a", None, recipe)

    assert [corpus["data"] for corpus in found["corpora"]] == ["corpora/a", "elsewhere/b"]
    assert found["corpora"][1]["weight"] == 0.5
    assert found["data"] == "corpora/a"
    assert [corpus["data"] for corpus in both["corpora"]] == ["z/a", "elsewhere/x"]
    assert both["data"] == "z/a"


def test_the_target_of_a_recipe_can_be_changed(recipe: Path) -> None:
    found = spread_corpora(None, "b", recipe)

    assert roles(found) == [("a", "corpora/a", "auxiliary"), ("b", "corpora/b", "target")]
    assert found["data"] == "corpora/b"


@pytest.mark.parametrize(
    ("data", "evaluated", "message"),
    [
        ("x/a+x/b", "c", "--eval c: there is no such corpus"),
        ("x/a", "c", "--eval c: there is no such corpus"),
        ("x/a+y/a", None, "two corpora are called 'a'"),
        ("x/a+", None, "a name or a folder is missing"),
        ("a=+x/b", None, "a name or a folder is missing"),
    ],
)
def test_what_makes_no_sense_is_refused(data: str, evaluated: str | None, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        spread_corpora(data, evaluated, None)


def test_a_folder_that_is_none_of_the_recipes_is_refused_with_a_way_out(recipe: Path) -> None:
    with pytest.raises(BadSetting, match="--data names c, which is no corpus of the recipe") as refused:
        spread_corpora("x/c", None, recipe)

    assert "`--data a=FOLDER`" in refused.value.remedy


@pytest.mark.parametrize("corpora", ['corpora = "a+b"', "corpora = [5]", '[corpora]\nname = "a"'])
def test_a_recipe_whose_corpora_are_none_is_left_to_the_settings(tmp_path: Path, corpora: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(corpora, encoding="utf-8")

    assert spread_corpora("x/a", None, path) == {"data": "x/a"}
    assert spread_corpora(None, "a", path) == {}


def test_the_corpus_of_a_plain_recipe_can_be_named_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text('data = "corpora/a"\n', encoding="utf-8")

    assert spread_corpora(None, "a", path) == {}
    with pytest.raises(BadSetting, match="--eval b: there is no such corpus") as refused:
        spread_corpora(None, "b", path)
    assert refused.value.remedy == "the corpora of this training: a"
    with pytest.raises(BadSetting) as unsaid:
        spread_corpora(None, "b", None)
    assert "--data" in unsaid.value.remedy


def test_short_names_of_pretraining_become_settings_in_their_sections() -> None:
    values = spread_pretraining({"tokens": 500, "vocab": 8000, "extend": None, "length": 64})

    assert values == {"length": 64, "budget": {"tokens": 500}, "vocabulary.train": 8000}


@pytest.mark.parametrize("texts", ["a.txt", Path("a.txt"), ["a.txt"], (Path("a.txt"),)])
def test_texts_of_pretraining_become_a_list_of_names(texts: object) -> None:
    assert spread_pretraining({"texts": texts}) == {"texts": ["a.txt"]}


def test_several_budgets_are_passed_on_to_be_refused_together() -> None:
    assert spread_pretraining({"steps": 1, "hours": 2}) == {"budget": {"steps": 1, "hours": 2}}
