"""Score tables: every score in its row, and tables that fit the terminal."""

import io

import pytest
from rich.console import Console

from linnet.cli.display.printing import lay_out
from linnet.contracts import Table
from linnet.labels.mention import Mention
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.units import Unit
from linnet.reports.tables import MEANING, labels_table, matchings_table, units_text


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    """Scores with half credit and two labels: one mention right, one overlapped, one missed."""
    gold = (Mention(0, 2, "Chemical"), Mention(4, 6, "Disease"), Mention(8, 9, "Disease"))
    predicted = (Mention(0, 2, "Chemical"), Mention(5, 6, "Disease"))
    units = [Unit(gold, predicted, None, (), (), number) for number in range(1500)]
    return score(units, n_resamples=10).as_dict()


def rows(table: Table, width: int = 200) -> list[str]:
    """Return the lines of a table as a terminal of this width shows them, without its title."""
    found = lay_out(table, width)
    found.title = None
    console = Console(width=width, file=io.StringIO(), highlight=False)
    with console.capture() as captured:
        console.print(found)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_every_matching_has_its_row_in_percent(found: dict[str, object]) -> None:
    lines = [line.split() for line in rows(matchings_table(found))]

    assert [line[0] for line in lines[1:]] == list(MEANING)
    # intervals without variance are Wilson's of 1,500 units: 40 +- 2.48 and 60 +- 2.48 points
    # by hand: 1 of 2 predicted and of 3 gold mentions is right; half more where an overlap counts half
    assert lines[1][1:8] == ["50.00", "33.33", "40.00", "37.55-42.50", "4,500", "3,000", "1,500"]
    assert lines[4][1:8] == ["75.00", "50.00", "60.00", "57.50-62.45", "4,500", "3,000", "2,250"]


def test_title_says_what_was_scored(found: dict[str, object]) -> None:
    assert str(matchings_table(found).title).startswith("1,500 sentences, 4,500 gold mentions; micro averages")


@pytest.mark.parametrize(
    ("groups", "resample", "text"),
    [
        ((0, 0, 1), None, "2 documents"),
        ((None, None, None), None, "3 sentences; the file has no documents: the interval is probably too narrow"),
        ((0, 0, 0), None, "3 sentences; the file has one document: the interval is probably too narrow"),
        (
            (0, 0, 1),
            "sentences",
            "3 sentences; documents are known and were not resampled: the interval is probably too narrow",
        ),
    ],
)
def test_title_says_what_the_intervals_resample(
    groups: tuple[int | None, ...], resample: str | None, text: str
) -> None:
    units = [Unit((Mention(0, 1, "X"),), (), group=group) for group in groups]

    scores = score(units, resample=resample, n_resamples=5).as_dict()

    assert units_text(scores) == text
    assert str(matchings_table(scores).title).endswith(f"; 95 % intervals over {text}")


def test_too_few_units_for_an_interval_are_a_dash() -> None:
    unit = Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),))

    first = rows(matchings_table(score([unit], n_resamples=5).as_dict()), width=80)[1]

    assert first.split() == ["strict", "100.00", "100.00", "100.00", "-", "1", "1", "1"]


def test_narrow_table_fits_eighty_columns_with_every_number_whole(found: dict[str, object]) -> None:
    narrow = rows(matchings_table(found), width=80)
    wide = rows(matchings_table(found))

    assert "…" not in "".join(narrow)
    assert [line.split() for line in narrow[1:]] == [line.split()[:8] for line in wide[1:]]


def test_wide_table_explains_the_matchings(found: dict[str, object]) -> None:
    lines = rows(matchings_table(found), width=120)

    assert "…" not in "".join(lines)
    assert all(line.endswith(meaning) for line, meaning in zip(lines[1:], MEANING.values(), strict=True))


def test_every_label_has_its_row_and_the_macro_average_comes_last(found: dict[str, object]) -> None:
    lines = [line.split() for line in rows(labels_table(found, "strict"), width=80)]

    assert [line[0] for line in lines] == ["label", "Chemical", "Disease", "macro"]
    assert lines[1][3] == "100.00"
    assert lines[2][1:4] == ["0.00", "0.00", "0.00"]
    assert lines[3][2:5] == ["50.00", "50.00", "50.00"]  # the mean of the two labels


def test_single_label_needs_no_macro_average() -> None:
    unit = Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),))

    lines = rows(labels_table(score([unit], n_resamples=0).as_dict(), "strict"))

    assert [line.split()[0] for line in lines] == ["label", "X"]


def test_scores_without_intervals_leave_their_column_empty() -> None:
    unit = Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),))

    first = rows(matchings_table(score([unit], n_resamples=0).as_dict()), width=80)[1]

    assert first.split() == ["strict", "100.00", "100.00", "100.00", "1", "1", "1"]


def test_half_right_counts_keep_their_half() -> None:
    unit = Unit((Mention(0, 2, "X"),), (Mention(0, 1, "X"),))

    lines = rows(matchings_table(score([unit], n_resamples=0).as_dict()), width=80)

    assert next(line for line in lines if line.startswith("partial")).split()[-1] == "0.5"
