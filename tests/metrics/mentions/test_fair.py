"""Fair evaluation on small cases by hand, and on the tables of the authors' own script."""

import random
import tracemalloc
from pathlib import Path

import pytest

from linnet.labels.mention import Mention
from linnet.metrics.mentions.fair import BEO, count_fair
from linnet.metrics.mentions.scores import MatchingScores, score
from linnet.metrics.mentions.units import Unit
from tests.shared_data import SHARED

REFEREE = SHARED / "referee" / "faireval"


def mistakes(gold: list[Mention], predicted: list[Mention]) -> dict[str, int]:
    unit = Unit(tuple(gold), tuple(predicted))
    details = score([unit], names=["weighted_fair"], n_resamples=0).matching("weighted_fair").micro.details
    return {name: number for name, number in details.items() if number}


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        (Mention(2, 6, "X"), {"tp": 1}),
        (Mention(2, 6, "Y"), {"le": 1}),
        (Mention(3, 6, "X"), {"be": 1, "bes": 1}),
        (Mention(2, 7, "X"), {"be": 1, "bel": 1}),
        (Mention(1, 4, "X"), {"be": 1, "beo": 1}),
        (Mention(1, 4, "Y"), {"lbe": 1}),
        (Mention(6, 8, "X"), {"fp": 1, "fn": 1}),
    ],
)
def test_every_mistake_is_counted_once(predicted: Mention, expected: dict[str, int]) -> None:
    assert mistakes([Mention(2, 6, "X")], [predicted]) == expected


def test_a_split_mention_is_two_boundary_errors_and_nothing_else() -> None:
    """Third pass: the second piece meets a gold mention already matched, whose positions are not used up."""
    assert mistakes([Mention(0, 6, "X")], [Mention(0, 3, "X"), Mention(3, 6, "X")]) == {"be": 2, "bes": 2}


def test_two_mentions_predicted_as_one_are_two_boundary_errors() -> None:
    """Second pass: the second gold mention meets a predicted mention already matched."""
    assert mistakes([Mention(0, 3, "X"), Mention(3, 6, "X")], [Mention(0, 6, "X")]) == {"be": 2, "bel": 2}


def test_positions_that_a_match_used_up_do_not_serve_again() -> None:
    """The shorter predicted mention shares with the gold mention only what the longer one has used up."""
    assert mistakes([Mention(0, 3, "X")], [Mention(0, 2, "X"), Mention(0, 1, "X")]) == {"be": 1, "bes": 1, "fp": 1}


def test_the_candidate_with_most_shared_positions_is_taken() -> None:
    """It shares five; with the other one, which comes first and shares three, both would be boundary errors."""
    assert mistakes([Mention(2, 8, "X")], [Mention(0, 5, "X"), Mention(2, 7, "X")]) == {"be": 1, "bes": 1, "fp": 1}


def test_a_label_error_and_an_overlap_of_another_label_count_for_the_gold_label() -> None:
    unit = Unit((Mention(0, 2, "X"), Mention(4, 6, "X")), (Mention(0, 2, "Y"), Mention(4, 7, "Y"), Mention(9, 10, "Y")))

    labels = score([unit], names=["fair"], n_resamples=0).matching("fair").labels

    assert labels["X"].details == {"tp": 0, "fp": 0, "fn": 0, "le": 1, "be": 0, "lbe": 1}
    assert labels["Y"].details == {"tp": 0, "fp": 1, "fn": 0, "le": 0, "be": 0, "lbe": 0}


def test_same_label_goes_before_another_label() -> None:
    """Step 4 before step 5: the mention of another label shares more, and would leave nothing for the other."""
    assert mistakes([Mention(0, 4, "X")], [Mention(3, 6, "X"), Mention(0, 5, "Y")]) == {"be": 1, "beo": 1, "lbe": 1}


def test_short_gold_mentions_choose_first() -> None:
    """Had the long one been first, it would have used up both positions of the predicted mention."""
    assert mistakes([Mention(0, 6, "X"), Mention(4, 5, "X")], [Mention(4, 6, "X")]) == {"be": 2, "bes": 1, "bel": 1}


def test_short_predicted_mentions_choose_first() -> None:
    """In the third pass (5, 9) would have used up the position of (6, 7)."""
    predicted = [Mention(0, 5, "X"), Mention(5, 9, "X"), Mention(6, 7, "X")]

    assert mistakes([Mention(0, 10, "X")], predicted) == {"be": 3, "bes": 3}


def test_different_fragments_are_a_boundary_error() -> None:
    gold, predicted = Mention(0, 9, "X", ((0, 2), (7, 9))), Mention(0, 9, "X", ((0, 3), (7, 9)))

    assert mistakes([gold], [predicted]) == {"be": 1, "beo": 1}


def test_the_tables_of_the_authors_script_are_reproduced_to_the_last_digit() -> None:
    """Referee: output of FairEval (Ortmann 2022) on 5,100 sentences of German newspaper text."""
    if not REFEREE.is_dir():
        pytest.skip(f"the tables in {REFEREE} are not here")
    gold, predicted = read_spans(REFEREE / "ner_target.csv"), read_spans(REFEREE / "ner_system.csv")
    units = [Unit(*pair) for pair in zip(gold, predicted, strict=True)]

    scores = score(units, names=["conll", "fair", "weighted_fair"], n_resamples=0)

    tables = read_tables(REFEREE / "expected_ner.csv")
    assert table(scores.matching("conll")) == tables["Traditional evaluation"]
    assert table(scores.matching("fair")) == tables["Fair evaluation"]
    assert table(scores.matching("weighted_fair")) == tables["Weighted evaluation"]


def read_spans(path: Path) -> list[tuple[Mention, ...]]:
    """Read `label, first, last, tokens`; `NONE` stands for a sentence without spans."""
    sentences = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
    rows = [[line.split("\t") for line in sentence.split("\n")] for sentence in sentences]
    return [tuple(Mention(int(r[1]), int(r[2]) + 1, r[0]) for r in sentence if r[0] != "NONE") for sentence in rows]


def read_tables(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    """Return title -> label -> column -> figure as printed."""
    tables = {}
    for part in path.read_text(encoding="utf-8").split("### ")[1:]:
        title, header, *lines = part.strip().split("\n")
        rows = [dict(zip(header.split("\t"), line.split("\t"), strict=False)) for line in lines]
        tables[title.rstrip(":")] = {row.pop("Label"): row for row in rows if "Label" in row}
    return tables


def table(scores: MatchingScores) -> dict[str, dict[str, str]]:
    """Return the scores as the script prints them."""
    printed = {}
    for label, one in {**scores.labels, "overall": scores.micro}.items():
        traditional = {"tp": one.correct, "fp": one.predicted - one.correct, "fn": one.gold - one.correct}
        figures = {name.upper(): f"{number:.0f}" for name, number in (one.details or traditional).items()}
        if "BES" in figures:
            del figures["BE"]  # the weighted table has its kinds instead
        percents = {"Prec": one.precision, "Rec": one.recall, "F1": one.f1}
        printed[label] = {**figures, **{name: f"{100 * value:.2f}" for name, value in percents.items()}}
    return printed


def test_mentions_far_from_the_beginning_take_little_memory() -> None:
    """Issue 23: 1,000 crossing mentions at character 10^7 took 3 GB."""
    far = 10**7
    gold = tuple(Mention(far + 10 * at, far + 10 * at + 8, "A") for at in range(1000))
    predicted = tuple(Mention(far + 10 * at + 5, far + 10 * at + 9, "A") for at in range(1000))
    tracemalloc.start()

    rows = count_fair(Unit(gold, predicted))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert rows["A"][BEO] == 1000
    assert peak < 10_000_000


@pytest.mark.parametrize("seed", range(20))
def test_where_a_text_begins_does_not_matter(seed: int) -> None:
    draw = random.Random(seed)
    gold, predicted = (
        tuple(Mention(start, start + draw.randint(1, 9), draw.choice("AB")) for start in draw.sample(range(30), 8))
        for _ in range(2)
    )
    moved = [tuple(Mention(each.start + 50, each.end + 50, each.label) for each in side) for side in (gold, predicted)]

    assert count_fair(Unit(gold, predicted)) == count_fair(Unit(moved[0], moved[1]))
