from tools.site.llms import llms_text


def test_each_page_has_its_title_and_first_sentence() -> None:
    text = llms_text({"a.md": "# A page\n\n![p](p.png)\n\nIt says [what](b.md) it is. And more.\n"})

    assert "- [A page](a.md): It says what it is.\n" in text
    assert text.startswith("# Linnet\n")
