from tools.site.reference.docstrings import render


def example() -> None:
    """Return a thing.

    More about it, with 2 * 3.

    Args:
        name: of the thing,
            on two lines, `a_
            b_c`.
        **rest: others.

    >>> example()
    """


def test_a_docstring_becomes_paragraphs_a_list_and_code() -> None:
    assert render(example) == (
        "Return a thing.\n\nMore about it, with 2 \\* 3.\n\n"
        "**Arguments**\n\n- `name`: of the thing, on two lines, `a_ b_c`.\n- `**rest`: others.\n\n"
        "```pycon\n>>> example()\n```"
    )


def scheme() -> None:
    """A scheme.

    What it computes: one
    thing.
    Source: a paper.
    """


def test_the_fixed_headings_of_schemes_become_a_list() -> None:
    assert render(scheme) == "A scheme.\n\n- **What it computes**: one\nthing.\n- **Source**: a paper."
