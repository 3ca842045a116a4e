"""Every page can be read on a wide and a narrow screen, in a light and a dark scheme."""

from collections.abc import Callable
from pathlib import Path

import pytest

from linnet.labels.mention import Mention
from linnet.reports.page.programs import join_modules
from linnet.reports.review import ReviewedSentence
from linnet.tasks.texts.kinds import MULTI_LABEL, REGRESSION, SPANS
from tests.browser import OpenPage, Page
from tests.comparison import test_page as comparison
from tests.comparison.example_results import example_results, size_results, with_parts
from tests.reports import test_error_page as mentions
from tests.tasks.texts.reports import test_page as texts
from tests.tasks.texts.reports.text_examples import ANSWERS, LABELS, NUMBERS

HERE = Path(__file__).parent
CONTRAST, CONTRAST_OF_LARGE_TEXT = 4.5, 3  # WCAG 2.2, level AA

N_COLOURS = 7  # of labels; an eighth label has the first again


def nested() -> ReviewedSentence:
    """A sentence of each colour three mentions deep, all of them missed."""
    starts = range(0, 3 * N_COLOURS, 3)
    gold = tuple(Mention(at, at + length, f"label {at:02}") for at in starts for length in (1, 2, 3))
    tokens = tuple((5 * at, 5 * at + 4) for at in range(3 * N_COLOURS))
    return ReviewedSentence("nested", 1, " ".join(["text"] * len(tokens)), tokens, gold, ())


WRITERS: dict[str, Callable[[Path], object]] = {
    "comparison": lambda folder: comparison.written(with_parts(example_results()), folder),
    "learning curves": lambda folder: comparison.written(size_results(), folder),
    "mentions": lambda folder: mentions.written(folder, reviewed=[nested(), *mentions.sentences()]),
    "classes": lambda folder: texts.written(folder),
    "labels": lambda folder: texts.written(folder, LABELS, MULTI_LABEL),
    "regression": lambda folder: texts.written(folder, NUMBERS, REGRESSION),
    "answers": lambda folder: texts.written(folder, ANSWERS, SPANS),
}


def faint_texts(page: Page) -> list[str]:
    program = join_modules("contrast.js", lambda name: (HERE / name).read_text(encoding="utf-8"))
    call = f"modules['contrast.js'].faintTexts({CONTRAST}, {CONTRAST_OF_LARGE_TEXT})"
    found = page.evaluate(f"(() => {{ {program} return {call}; }})()")
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", WRITERS)
def test_text_stands_out_and_nothing_is_wider_than_the_screen(tmp_path: Path, open_page: OpenPage, name: str) -> None:
    WRITERS[name](tmp_path)
    page = open_page(tmp_path, "#show=all")
    page.press("j", times=3)  # the current error is marked
    page.evaluate("for (const element of document.querySelectorAll('details')) element.open = true")

    backgrounds = set()
    for scheme in ("light", "dark"):
        for width in (1300, 400):
            page.show_as(width=width, scheme=scheme)
            page.settle()
            assert page.evaluate("document.documentElement.scrollWidth") == width
        assert faint_texts(page) == []
        backgrounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(backgrounds) == 2


def test_text_that_is_too_faint_is_found(tmp_path: Path, open_page: OpenPage) -> None:
    (tmp_path / "index.html").write_text(
        "<!doctype html><title>t</title><link rel=icon href='data:,'><body style='background: white'>"
        "<p style='color: #777'>a</p><p style='color: #767676'>b</p>"
        "<p style='color: #777; font-size: 30px'>c</p><p style='color: black; opacity: .4'>d</p>"
        "<div style='background: rgb(0 0 0 / 50%)'><p style='color: #333'>e</p></div>",
        encoding="utf-8",
    )

    found = faint_texts(open_page(tmp_path))

    assert [text[:4] for text in found] == ["P: a", "P: d", "P: e"]  # 4.48, 2.85 and 3.20 to 1; b has 4.54
