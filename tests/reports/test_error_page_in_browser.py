"""A reader of the error page filters, searches, walks through errors and meets hostile texts."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence
from tests.browser import OpenPage
from tests.pages import HOSTILE
from tests.reports.test_error_page import written

TEXT = "Lynch syndrome and aspirin"
TOKENS = ((0, 5), (6, 14), (15, 18), (19, 26))
DISEASE, CHEMICAL = Mention(0, 2, "Disease"), Mention(3, 4, "Chemical")


def example() -> list[ReviewedSentence]:
    """Five sentences: with two errors, with a wrong label, right, with a spurious mention, and without mentions."""
    first = ReviewedSentence("8528200", 1, TEXT, TOKENS, (DISEASE, CHEMICAL), (Mention(1, 2, "Disease"),), (0.75,))
    return [
        first,
        replace(first, number=2, predicted=(Mention(0, 2, "Chemical"), CHEMICAL), scores=(0.5, None)),
        replace(first, number=3, predicted=(DISEASE, CHEMICAL), scores=()),
        replace(first, number=4, gold=(), predicted=(Mention(2, 3, "Disease"),), scores=(0.9,)),
        ReviewedSentence("777", 1, "nothing here", ((0, 7), (8, 12)), (), ()),
    ]


def many_sentences(n: int, n_mentions: int = 1) -> list[ReviewedSentence]:
    """Sentences of `n_mentions` mentions each, the last of which is missed."""
    tokens = tuple((5 * at, 5 * at + 4) for at in range(n_mentions))
    gold = tuple(Mention(at, at + 1, "Gene") for at in range(n_mentions))
    text = " ".join(["gene"] * n_mentions)
    return [ReviewedSentence("d", number + 1, text, tokens, gold, gold[:-1]) for number in range(n)]


def test_kinds_and_labels_filter_and_stand_in_the_address(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)
    assert page.text("#status") == "3 of 5 sentences, 4 errors"
    assert page.texts("#kinds .number") == ["1", "1", "1", "1", "0"]

    page.click("[data-kind='1']")

    assert page.text("#status") == "1 of 5 sentences, 1 error"
    assert page.texts("#labels button") == ["Chemical 1", "Disease 0"]
    assert page.evaluate("location.hash") == "#kind=missed"

    page.click("[data-label='1']")

    assert page.text("#status") == "0 of 5 sentences, 0 errors"
    assert page.text("#list") == "No sentence fits these filters."
    assert page.evaluate("location.hash") == "#kind=missed&label=Disease"

    page.click("#clear")

    assert page.text("#status") == "3 of 5 sentences, 4 errors"
    assert page.texts("#clear") == []
    assert page.evaluate("location.hash") == ""


def test_all_sentences_can_be_shown(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)

    page.click("[data-show=all]")

    assert page.text("#status") == "5 of 5 sentences, 4 errors"
    assert page.texts(".where") == [f"8528200, sentence {n}#s{n}" for n in (1, 2, 3, 4)] + ["777, sentence 1#s5"]


def test_search_looks_in_texts_and_documents_as_it_is_typed(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path, "#show=all")

    page.press("/")
    page.write("NOTHING")

    assert page.text("#status") == "1 of 5 sentences, 0 errors"
    assert page.evaluate("location.hash") == "#q=NOTHING&show=all"

    page.press("j")  # is a letter of the query while the field has the focus
    assert page.evaluate("document.activeElement.value") == "NOTHINGj"
    page.press("Escape")
    assert page.evaluate("document.activeElement.id") == ""


def test_keys_walk_through_the_errors_and_round_at_the_ends(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)
    assert page.text("#position") == "– / 4"

    page.press("j")

    assert page.text("#position") == "1 / 4"
    assert page.evaluate("document.activeElement.textContent").startswith("boundarygold")
    assert page.texts("#s1 .m.now") == [
        "Lynch ",
        "syndrome",
        "syndrome",
    ]  # the gold one, and the predicted one inside it

    page.press("j", times=3)

    assert page.text("#position") == "4 / 4"
    assert page.count(".here#s4") == 1
    page.press("j")
    assert page.text("#position") == "1 / 4"
    page.press("k")
    assert page.text("#position") == "4 / 4"
    page.click("#previous")
    assert page.text("#position") == "3 / 4"


def test_sentences_are_sorted_by_the_confidence_of_their_errors(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())  # confidences 0.75, 0.5 and 0.9; sentence 3 has no error
    page = open_page(tmp_path)
    assert page.texts("[data-order][aria-pressed=true]") == ["As in the documents"]

    page.click("[data-order=highest]")

    assert page.texts(".where a") == ["#s4", "#s1", "#s2"]
    assert page.texts("[data-order][aria-pressed=true]") == ["Highest confidence"]
    assert page.evaluate("location.hash") == "#order=highest"
    page.press("j")
    assert page.count(".here#s4") == 1

    page.click("[data-order=lowest]")

    assert page.texts(".where a") == ["#s2", "#s1", "#s4"]
    page.click("[data-show=all]")
    assert page.texts(".where a") == ["#s2", "#s1", "#s4", "#s3", "#s5"]
    assert page.evaluate("location.hash") == "#show=all&order=lowest"


def test_only_errors_that_fit_the_filters_count_in_the_order(tmp_path: Path, open_page: OpenPage) -> None:
    spurious = Mention(2, 3, "Chemical")
    first = replace(example()[0], predicted=(Mention(1, 2, "Disease"), spurious), scores=(0.75, 0.1))
    written(tmp_path, reviewed=[first, *example()[1:]])

    page = open_page(tmp_path, "#kind=spurious&order=highest")

    assert page.texts(".where a") == ["#s4", "#s1"]


def test_the_order_is_chosen_with_the_keyboard(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)

    page.evaluate("document.querySelector('[data-order=reading]').focus()")
    page.press("Tab")
    assert page.evaluate("document.activeElement.dataset.order") == "highest"
    page.press("Enter")

    assert page.texts(".where a") == ["#s4", "#s1", "#s2"]
    assert page.evaluate("document.activeElement.dataset.order") == "highest"


def test_without_confidences_there_is_no_order_to_choose(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=many_sentences(2))

    assert open_page(tmp_path).texts("[data-order]") == []


def test_a_matching_is_chosen_in_the_table(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)

    page.click("[data-matching=partial]")

    assert page.texts("[data-matching][aria-pressed=true]") == ["partial"]
    assert page.text("#by-label-title").startswith("By label, partial")
    assert page.evaluate("document.activeElement.dataset.matching") == "partial"


def test_the_mouse_over_a_mention_tells_what_it_is(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)

    page.point_at_element("#s1 .m.predicted")

    assert page.text("#tip") == "gold: Disease (boundary)\npredicted: Disease 0.750 (boundary)"
    page.point_at(2, 2)
    assert page.texts("#tip") == []


def test_names_of_labels_can_be_switched_off(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=example())
    page = open_page(tmp_path)
    assert page.texts("#s1 .name") == ["Disease", "Disease", "Chemical"]

    page.click("#names")

    assert page.texts("#s1 .name") == []


@pytest.mark.parametrize("width", [1300, 400])
def test_hostile_texts_are_shown_as_they_are_and_break_nothing(tmp_path: Path, open_page: OpenPage, width: int) -> None:
    reviewed = [ReviewedSentence(text, 1, text, ((0, len(text)),), (Mention(0, 1, text),), ()) for text in HOSTILE]
    written(tmp_path, title=HOSTILE[1], reviewed=reviewed)

    page = open_page(tmp_path, width=width)

    assert page.texts("#list .m.gold") == list(HOSTILE)
    assert page.text("h1") == page.evaluate("document.title") == HOSTILE[1]
    assert page.count("main img, main script, main b:not(.mistakes b)") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_ten_thousand_mentions_in_one_sentence(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=many_sentences(1, 10_000))

    page = open_page(tmp_path)

    assert page.text("#status") == "1 of 1 sentence, 1 error"
    assert page.count("#s1 .m.gold") == 10_000
    page.press("j")
    assert page.text("#position") == "1 / 1"


def test_a_long_list_is_drawn_as_it_is_read(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=many_sentences(1000))
    page = open_page(tmp_path)
    assert 20 <= page.count("article") < 100

    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.settle()
    page.settle()

    assert page.count("article") > 20
    page.go("s900")
    assert page.count("#s900.here") == 1
    assert page.count("article") < 100
    first = page.evaluate("document.querySelector('article').id")
    page.click("#earlier")
    assert page.evaluate("document.querySelector('article').id") != first
    page.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert page.count("article") == 1000


def surer_second_error() -> list[ReviewedSentence]:
    """Return a sentence with errors of confidence 0.3, none (missed) and 0.9 in reading order, and another of 0.5."""
    text = "a b c d e f"
    tokens = tuple((at, at + 1) for at in range(0, len(text), 2))
    predicted = (Mention(0, 1, "X"), Mention(4, 5, "X"))
    first = ReviewedSentence("d1", 1, text, tokens, (Mention(2, 3, "X"),), predicted, (0.3, 0.9))
    return [first, ReviewedSentence("d2", 1, text, tokens, (), predicted[:1], (0.5,))]


def test_the_errors_of_a_sentence_are_sorted_by_confidence_too(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=surer_second_error())
    page = open_page(tmp_path)
    reading = page.texts("#s1 .mistakes li")

    page.click("[data-order=highest]")
    highest = page.texts("#s1 .mistakes li")
    page.press("j")
    walked = page.evaluate("document.activeElement.textContent")
    page.click("[data-order=lowest]")

    assert [text.rpartition(" ")[2] for text in reading] == ["0.300", "c", "0.900"]
    assert highest == [reading[2], reading[0], reading[1]]
    assert walked == reading[2]
    assert page.texts("#s1 .mistakes li") == [reading[0], reading[2], reading[1]]


def test_errors_below_a_confidence_are_left_out(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=surer_second_error())
    page = open_page(tmp_path, "#order=highest&least=0.4")
    from_address = page.text("#status"), page.texts("[data-kind] .number"), page.texts("#s1 .mistakes li.other")

    page.evaluate(
        "(() => { const least = document.getElementById('least'); least.value = 0.8;"
        " least.dispatchEvent(new Event('input')); })()"
    )
    page.settle()
    moved, address = page.text("#status"), page.evaluate("location.hash")
    page.click("#clear")

    assert from_address[0] == "2 of 2 sentences, 2 errors"
    assert len(from_address[2]) == 2  # the error of 0.3, and the missed mention
    assert moved == "1 of 2 sentences, 1 error"
    assert address == "#least=0.8&order=highest"
    assert page.text("#status") == "2 of 2 sentences, 4 errors"
