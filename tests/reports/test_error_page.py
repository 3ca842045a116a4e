"""The page holds all there is to see, asks for nothing else, and no text can break out of it."""

import re
from pathlib import Path
from typing import Any

from linnet.labels.mention import Mention
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.units import Unit
from linnet.reports.error_page import write_page
from linnet.reports.review import ReviewedSentence
from tests.browser import OpenPage
from tests.pages import EVIL, Elements


def sentences() -> list[ReviewedSentence]:
    return [
        ReviewedSentence(
            *("8528200", 1, "Lynch syndrome and aspirin", ((0, 5), (6, 14), (15, 18), (19, 26))),
            gold=(Mention(0, 2, "Disease"), Mention(3, 4, "Chemical")),
            predicted=(Mention(1, 2, "Disease"),),
            scores=(0.75,),
        ),
        ReviewedSentence("8528200", 2, f"no {EVIL}", ((0, 2), (3, 3 + len(EVIL))), (), ()),
    ]


def scores_of(reviewed: list[ReviewedSentence]) -> dict[str, Any]:
    units = [Unit(sentence.gold, sentence.predicted) for sentence in reviewed]
    return score(units, names=["strict", "partial"], n_resamples=20).as_dict()


def written(folder: Path, *, title: str = "MiniLM", reviewed: list[ReviewedSentence] | None = None) -> str:
    reviewed = sentences() if reviewed is None else reviewed
    details = {"model": "runs/minilm", "corpus": "ncbi-disease"}
    path = write_page(folder, title=title, scores=scores_of(reviewed), sentences=reviewed, details=details)
    assert path == folder / "index.html"
    return path.read_text(encoding="utf-8")


def test_the_page_holds_scores_sentences_mentions_and_mistakes(tmp_path: Path) -> None:
    content = Elements(written(tmp_path / "report")).content()

    assert content["title"] == "MiniLM"
    assert content["details"] == [["model", "runs/minilm"], ["corpus", "ncbi-disease"]]
    assert content["scores"]["strict"]["micro"]["gold"] == 2
    assert content["labels"] == ["Chemical", "Disease"]
    assert content["documents"] == ["8528200"]
    kinds = [name for name, _ in content["kinds"]]
    boundary, missed = kinds.index("boundary"), kinds.index("missed")
    assert content["sentences"][0] == [
        *(0, 1, "Lynch syndrome and aspirin"),
        [[0, 14, 1], [19, 26, 0]],
        [[6, 14, 1, 0.75]],
        [[boundary, 0, 0], [missed, 1, -1]],
    ]
    assert content["sentences"][1][3:] == [[], [], []]


def test_no_text_can_end_the_data_or_become_an_element(tmp_path: Path) -> None:
    page = written(tmp_path, title=f'{EVIL} & "quotes" @@DATA@@')

    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 2
    assert elements.content()["sentences"][1][2] == f"no {EVIL}"
    assert elements.content()["title"].endswith("@@DATA@@")
    assert EVIL not in page


def test_the_page_asks_for_nothing_outside_of_itself(tmp_path: Path) -> None:
    page = written(tmp_path)

    links = [value for _, attributes in Elements(page).found for name, value in attributes.items() if name == "src"]
    addresses = [attributes["href"] for _, attributes in Elements(page).found if "href" in attributes]
    assert links == []
    assert addresses == ["data:,"]
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|@import|url\(|fetch\(", page)


def test_offsets_are_those_of_the_browser_after_characters_that_it_counts_twice(tmp_path: Path) -> None:
    sentence = ReviewedSentence("d", 1, "𝛼-syn 𝛽", ((0, 5), (6, 7)), (Mention(1, 2, "A"),), ())

    content = Elements(written(tmp_path, reviewed=[sentence])).content()

    start, end, _ = content["sentences"][0][3][0]
    units = sentence.text.encode("utf-16-le")
    assert units[2 * start : 2 * end].decode("utf-16-le") == "𝛽"


def test_a_score_that_is_no_number_is_left_out(tmp_path: Path) -> None:
    sentence = ReviewedSentence("d", 1, "a", ((0, 1),), (), (Mention(0, 1, "A"),), (float("nan"),))

    content = Elements(written(tmp_path, reviewed=[sentence])).content()

    assert content["sentences"][0][4] == [[0, 1, 0]]


def in_pieces() -> ReviewedSentence:
    mention = Mention(0, 4, "Disease", fragments=((0, 1), (3, 4)))
    tokens = ((0, 6), (7, 9), (10, 17), (18, 24))
    return ReviewedSentence("d", 1, "breast or ovarian cancer", tokens, (mention, Mention(2, 4, "Disease")), ())


def test_a_mention_in_pieces_has_the_places_of_all(tmp_path: Path) -> None:
    content = Elements(written(tmp_path, reviewed=[in_pieces()])).content()

    assert content["sentences"][0][3] == [[0, 24, 0, None, [[0, 6], [18, 24]]], [10, 24, 0]]


def test_the_browser_draws_the_pieces_of_a_mention_and_quotes_them(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, reviewed=[in_pieces()])

    page = open_page(tmp_path).html()

    assert "<q>breast … cancer</q>" in page
    assert re.search(r'class="m gold begins ends wrong"[^>]*>breast</span> or ', page)


def test_a_page_without_sentences_can_be_written(tmp_path: Path) -> None:
    assert Elements(written(tmp_path, reviewed=[])).content()["sentences"] == []


def test_an_older_page_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    written(tmp_path, title="first")
    written(tmp_path, title="second")

    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert "<title>second</title>" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_the_browser_shows_only_the_sentences_with_errors_first(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, title=EVIL)

    page = open_page(tmp_path).html()

    assert "1 of 2 sentences, 2 errors" in page
    assert 'id="s1"' in page
    assert 'id="s2"' not in page
    assert "predicted: Disease 0.750 (boundary)" in page
    assert "<title>broken" not in page


def test_the_address_chooses_kinds_labels_and_text(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)

    page = open_page(tmp_path, "#kind=missed&label=Chemical&q=ASPIRIN").html()

    assert "1 of 2 sentences, 1 error<" in page
    assert len(re.findall(r'<button[^>]*data-kind="1"[^>]*aria-pressed="true"', page)) == 1
    assert len(re.findall(r'<button[^>]*data-label="0"[^>]*aria-pressed="true"', page)) == 1


def test_the_address_of_a_sentence_shows_it_even_without_errors(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)

    page = open_page(tmp_path, "#s2").html()

    assert re.search(r'<article class="[^"]*here[^"]*" id="s2"', page)
    assert "&lt;/script&gt;" in page
