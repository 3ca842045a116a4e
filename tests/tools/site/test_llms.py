from tools.site.llms import llms_text

NAVIGATION = """
  - Start:
      - The first page: a.md
  - Reference:
      - Commands: reference/commands.md
  - Facts: facts.md
"""


def test_each_page_has_its_title_and_first_sentence() -> None:
    text = llms_text({"a.md": "# A page\n\n![p](p.png)\n\nIt says [what](b.md) it is. And more.\n"}, NAVIGATION)

    assert text.startswith("# Linnet\n")
    assert "## Start\n\n- [The first page](a.md): It says what it is.\n" in text


def test_pages_stand_in_the_order_of_the_navigation_and_others_come_last() -> None:
    places = ("b.md", "facts.md", "reference/commands.md", "a.md")

    text = llms_text({place: f"# {place}\n\nA page." for place in places}, NAVIGATION)

    found = [line for line in text.split("\n") if line.startswith(("## ", "- ["))]
    assert found == [
        "## Start",
        "- [The first page](a.md): A page.",
        "## Reference",
        "- [Commands](reference/commands.md): A page.",
        "## More",
        "- [Facts](facts.md): A page.",
        "- [b.md](b.md): A page.",
    ]
