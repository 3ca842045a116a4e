import pytest

from tools.site.pages import find_pages, place_of, with_site_links


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("README.md", "index.md"),
        ("docs/formats.md", "formats.md"),
        ("docs/findings/a.png", "findings/a.png"),
        ("src/linnet/embedded/bio/README.md", "models/bio.md"),
        ("recipes/demo.toml", "files/recipes/demo.toml"),
        (".github/workflows/ci.yml", "files/github/workflows/ci.yml"),  # builders leave hidden folders out
    ],
)
def test_a_file_of_the_repository_has_its_place(name: str, place: str) -> None:
    assert place_of(name) == place


def test_every_page_of_the_docs_is_in_the_site() -> None:
    places = find_pages()

    assert places["index.md"] == "README.md"
    assert places["tours/curator.md"] == "docs/tours/curator.md"
    assert "models/index.md" not in places  # made from the code


def test_links_lead_to_the_places_in_the_site() -> None:
    used: list[str] = []
    text = (
        '[a](docs/formats.md#x) [b](recipes/demo.toml) [c](https://x) `[d](e.md)` [f](recipes) <img src="docs/g.png">'
    )

    found = with_site_links(text, "README.md", used.append)

    assert (
        found
        == '[a](formats.md#x) [b](files/recipes/demo.toml) [c](https://x) `[d](e.md)` [f](recipes.md) <img src="g.png">'
    )
    assert used == ["recipes/demo.toml", "docs/g.png"]


def test_a_link_upwards_leads_to_a_moved_page() -> None:
    assert with_site_links("[a](../../README.md)", "docs/tours/curator.md", lambda _: None) == "[a](../index.md)"


def test_pictures_follow_the_choice_of_light_or_dark() -> None:
    text = '<picture>\n<source media="(d)" srcset="docs/b.svg">\n<img alt="A" src="docs/a.svg" width="8">\n</picture>'

    found = with_site_links(text, "README.md", lambda _: None)

    assert found == "![A](a.svg#only-light)\n![A](b.svg#only-dark)"
