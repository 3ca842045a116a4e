from linnet.corpora.table import known_corpora
from linnet.models.embedded import embedded_models
from tools.site.catalogue import corpora_page, models_page, recipes_page
from tools.site.pages import ROOT


def test_every_recipe_is_listed_with_what_it_is() -> None:
    page = recipes_page()

    rows = [line.split(" | ") for line in page.split("\n") if line.startswith("| [")]
    assert len(rows) == len(list((ROOT / "recipes").glob("*.toml")))
    assert not [row[0] for row in rows if len(row[1]) < 10]


def test_a_recipe_has_its_result_if_one_was_measured() -> None:
    results = {row.split("`")[1]: row.split(" | ")[2] for row in recipes_page().split("\n") if row.startswith("| [")}

    assert results["bc5cdr-chem-minilm"] == "strict F1 on test 0.8542 (seed 1, one run)"
    assert results["biosses"] == ""  # not recorded yet
    assert results["pubmedqa-minilm"].startswith("a miss. Accuracy on test 0.5520")
    assert results["grid-weighting-study"] == "[finding](findings/class-weighting.md)"


def test_every_corpus_is_listed() -> None:
    page = corpora_page()

    assert not [name for name in known_corpora() if f"| `{name}` |" not in page]


def test_every_embedded_model_is_listed_with_its_scores() -> None:
    page = models_page()

    for model in embedded_models():
        assert f"[`{model.name}`]({model.name}.md) | {model.version} |" in page
        assert page.count(f"{100 * model.scores[0]['f1']:.1f}") >= 2
