"""The numbers are those of Mobasher et al. 2023, tables 2 to 10; the spot checks were read in the paper's text."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from statistics import median

import pytest

from linnet.contracts import weighting_schemes
from linnet.metrics.mentions.matching import matchings
from linnet.models.aliases import ALIASES
from linnet.tasks.ner.published import Published, published_f1, published_scores
from tests.test_recipes import WELT_CORPORA

HALF_OF_LAST_DIGIT = 0.00005  # two decimals of percent are printed
GRID = [score for score in published_scores() if score.table < 10]
Place = tuple[str, str]
Row = tuple[Place, str, float | None]


def row_of(score: Published) -> Row:
    return (score.corpus, score.encoder), score.scheme, score.beta


def f1_by_row(scores: Iterable[Published]) -> dict[Row, float]:
    return {row_of(score): score.f1 for score in scores}


def is_harmonic_mean(score: Published) -> bool:
    assert score.precision is not None
    assert score.recall is not None
    low, high = (
        2 * (score.precision + shift) * (score.recall + shift) / (score.precision + score.recall + 2 * shift) + shift
        for shift in (-HALF_OF_LAST_DIGIT, HALF_OF_LAST_DIGIT)
    )
    return low <= score.f1 <= high


def test_the_grid_of_the_paper_has_280_cells_without_a_gap() -> None:
    weightings = {(score.scheme, score.beta) for score in GRID}

    assert len(GRID) == len({row_of(score) for score in GRID}) == 280
    assert Counter(score.table for score in GRID) == dict.fromkeys(range(2, 10), 35)
    assert weightings == {
        ("none", None), ("ins", None), ("isns", None), ("ens", 0.3), ("ens", 0.5), ("ens", 0.9), ("welt", None),
    }  # fmt: skip
    assert all(score.precision is not None and score.recall is not None for score in GRID)


def test_table_10_has_35_cells_in_two_metrics() -> None:
    scores = [score for score in published_scores() if score.table == 10]

    assert Counter((score.corpus, score.metric) for score in scores) == {
        ("linnaeus", "strict"): 35,
        ("linnaeus", "fair"): 35,
    }
    assert len({(score.metric, row_of(score)) for score in scores}) == 70
    assert {(score.precision, score.recall) for score in scores} == {(None, None)}


def test_all_names_are_those_of_linnet() -> None:
    scores = published_scores()

    assert {score.corpus for score in scores} == set(WELT_CORPORA)
    assert {score.encoder for score in scores} <= ALIASES.keys()
    assert {score.scheme for score in scores} <= set(weighting_schemes.names())
    assert {score.metric for score in scores} <= set(matchings.names())


def test_every_score_names_the_whole_source() -> None:
    for score in published_scores():
        assert score.source.startswith("Mobasher, Müller, Krebs and Gertz (2023). WeLT: Improving Biomedical")
        assert score.source.endswith(f", table {score.table}")
        assert "Workshop on Biomedical Natural Language Processing" in score.source


@pytest.mark.parametrize(
    ("table", "corpus", "encoder", "scheme", "beta", "percent"),
    [
        (2, "linnaeus", "biobert", "ins", None, (92.52, 78.57, 84.98)),
        (2, "linnaeus", "bioelectra", "welt", None, (84.15, 82.62, 83.38)),
        (2, "linnaeus", "bluebert", "none", None, (90.97, 85.83, 88.33)),
        (3, "biored-disease", "pubmedbert", "ens", 0.3, (71.77, 68.70, 70.20)),
        (3, "biored-disease", "scibert", "none", None, (69.29, 68.16, 68.72)),
        (4, "biored-chem", "bluebert", "ens", 0.5, (89.05, 90.12, 89.58)),
        (4, "biored-chem", "bioelectra", "none", None, (61.55, 53.00, 56.95)),
        (5, "bc5cdr-chem", "scibert", "isns", None, (89.28, 81.89, 85.43)),
        (5, "bc5cdr-chem", "biobert", "welt", None, (92.83, 93.63, 93.23)),
        (6, "bc5cdr-disease", "bioelectra", "ens", 0.9, (85.62, 89.01, 87.28)),
        (6, "bc5cdr-disease", "pubmedbert", "ins", None, (78.05, 74.68, 76.33)),
        (7, "bc4chemd", "biobert", "none", None, (91.78, 90.21, 90.99)),
        (7, "bc4chemd", "scibert", "welt", None, (79.71, 74.99, 77.28)),
        (8, "bc2gm", "pubmedbert", "ens", 0.9, (73.66, 73.80, 73.73)),
        (8, "bc2gm", "scibert", "ens", 0.3, (73.15, 75.08, 74.10)),
        (9, "ncbi-disease", "bluebert", "isns", None, (86.47, 89.27, 87.85)),
        (9, "ncbi-disease", "biobert", "none", None, (86.12, 87.91, 87.01)),
    ],
)
def test_cells_of_tables_2_to_9_are_as_printed(
    table: int, corpus: str, encoder: str, scheme: str, beta: float | None, percent: tuple[float, float, float]
) -> None:
    score = published_f1(corpus=corpus, encoder=encoder, scheme=scheme, beta=beta, metric="conll")

    assert score is not None
    assert (score.table, score.metric) == (table, "conll")
    assert [score.precision, score.recall, score.f1] == pytest.approx([value / 100 for value in percent])


@pytest.mark.parametrize(
    ("encoder", "scheme", "beta", "strict", "fair"),
    [
        ("biobert", "ens", 0.9, 89.15, 90.08),
        ("pubmedbert", "none", None, 84.89, 86.62),
        ("bluebert", "ins", None, 65.56, 66.33),
        ("scibert", "isns", None, 74.16, 74.83),
        ("bioelectra", "welt", None, 83.38, 85.64),
    ],
)
def test_cells_of_table_10_are_as_printed(
    encoder: str, scheme: str, beta: float | None, strict: float, fair: float
) -> None:
    for metric, percent in {"strict": strict, "fair": fair}.items():
        score = published_f1(corpus="linnaeus", encoder=encoder, scheme=scheme, beta=beta, metric=metric)

        assert score is not None
        assert (score.table, score.metric) == (10, metric)
        assert score.f1 == pytest.approx(percent / 100)


def test_f1_is_the_harmonic_mean_but_for_one_flagged_cell() -> None:
    odd = [score for score in GRID if not is_harmonic_mean(score)]

    # table 2: P 91.15 and R 64.41 make 75.48, printed is 75.47
    assert [row_of(score) for score in odd] == [(("linnaeus", "bluebert"), "ens", 0.5)]
    assert "harmonic mean" in odd[0].note


def test_what_table_10_contradicts_in_table_2_is_flagged_on_both_sides() -> None:
    linnaeus = [score for score in published_scores() if score.corpus == "linnaeus"]
    plain = f1_by_row(score for score in linnaeus if score.metric == "conll")
    strict = f1_by_row(score for score in linnaeus if score.metric == "strict")
    apart = {row for row in plain if abs(plain[row] - strict[row]) > 0.00041}

    for metric in ("conll", "strict", "fair"):
        flagged = {row_of(score) for score in linnaeus if score.metric == metric and "table 10" in score.note}
        assert flagged == apart
    assert len(apart) == 10


def test_cells_that_repeat_those_of_another_row_are_flagged() -> None:
    def numbers(score: Published) -> tuple[float | None, float | None, float]:
        return score.precision, score.recall, score.f1

    repeated = [
        second
        for first, second in combinations(GRID, 2)
        if numbers(first) == numbers(second) and row_of(first)[0] != row_of(second)[0]
    ]

    # PubMedBERT: ins and isns of table 5 are BioBERT's, its vanilla is that of table 9 (and the equal ens 0.5 there),
    # and isns of table 7 is that of table 9
    assert len(repeated) == 5
    assert {row_of(score) for score in GRID if "are those printed for" in score.note} == {
        (("bc5cdr-chem", "pubmedbert"), "ins", None),
        (("bc5cdr-chem", "pubmedbert"), "isns", None),
        (("bc5cdr-chem", "pubmedbert"), "none", None),
        (("bc4chemd", "pubmedbert"), "isns", None),
    }


def test_equal_weights_with_far_apart_scores_are_flagged() -> None:
    equal = [score for score in GRID if score.scheme in ("none", "ens")]
    f1_by_place: dict[Place, list[float]] = {}
    for score in equal:
        f1_by_place.setdefault((score.corpus, score.encoder), []).append(score.f1)

    far_apart = {place for place, scores in f1_by_place.items() if max(scores) - min(scores) > 0.05}

    assert {
        row_of(score)[0] for score in equal if "points apart" in score.note and "ens weighs" in score.note
    } == far_apart
    assert len(far_apart) == 4


def test_welt_gains_half_a_point_over_vanilla_in_the_median() -> None:
    f1 = f1_by_row(GRID)

    gains = [f1[place, "welt", None] - f1[place, "none", None] for place, scheme, _ in f1 if scheme == "welt"]

    # 40 pairs, the middle two are 0.45 and 0.46 points; all are gains
    assert len(gains) == 40
    assert median(gains) == pytest.approx(0.00455)
    assert min(gains) > 0


@pytest.mark.parametrize(
    ("spelling", "corpus"),
    [
        ("NCBI-disease", "ncbi-disease"),
        ("ncbi_disease", "ncbi-disease"),
        ("NCBI", "ncbi-disease"),
        ("corpora/ncbi-disease/", "ncbi-disease"),
        ("BC5CDR-chem", "bc5cdr-chem"),
        ("bc5cdr_chemical", "bc5cdr-chem"),
        ("BC5CDR Disease", "bc5cdr-disease"),
        ("BC4CHEMD", "bc4chemd"),
        ("BC4Chem", "bc4chemd"),
        ("BC2GM-Gene", "bc2gm"),
        ("BioRED-Dis", "biored-disease"),
        ("BioRed-Chemical", "biored-chem"),
        ("LINNAEUS", "linnaeus"),
    ],
)
def test_a_corpus_is_found_under_its_common_spellings(spelling: str, corpus: str) -> None:
    score = published_f1(corpus=spelling, encoder="biobert", scheme="welt", beta=None)

    assert score is not None
    assert score.corpus == corpus


@pytest.mark.parametrize(
    "encoder", ["pubmedbert", "PubMedBERT", "microsoft/BiomedNLP-PubMedBERT-base-uncased-abstract"]
)
def test_an_encoder_is_found_by_alias_and_by_the_checkpoint_of_the_paper(encoder: str) -> None:
    score = published_f1(corpus="bc2gm", encoder=encoder, scheme="welt", beta=None)

    assert score is not None
    assert (score.encoder, score.f1) == ("pubmedbert", 0.8473)
    assert score.checkpoint == "microsoft/BiomedNLP-PubMedBERT-base-uncased-abstract"


def test_strict_is_answered_with_conll_only_where_strict_was_not_published() -> None:
    linnaeus = published_f1(corpus="linnaeus", encoder="biobert", scheme="none", beta=None, metric="strict")
    ncbi = published_f1(corpus="ncbi-disease", encoder="biobert", scheme="none", beta=None, metric="strict")

    assert linnaeus is not None
    assert ncbi is not None
    assert (linnaeus.metric, linnaeus.f1) == ("strict", 0.8849)
    assert (ncbi.metric, ncbi.f1) == ("conll", 0.8701)


@pytest.mark.parametrize(
    ("corpus", "encoder", "scheme", "beta", "metric"),
    [
        ("jnlpba", "biobert", "welt", None, "strict"),
        ("bc5cdr", "biobert", "welt", None, "strict"),
        ("", "biobert", "welt", None, "strict"),
        ("ncbi-disease", "minilm", "welt", None, "strict"),
        ("ncbi-disease", "scibert-cased", "welt", None, "strict"),
        ("ncbi-disease", "biobert", "focal", None, "strict"),
        ("ncbi-disease", "biobert", "ens", None, "strict"),
        ("ncbi-disease", "biobert", "ens", 0.9999, "strict"),
        ("ncbi-disease", "biobert", "welt", 0.9, "strict"),
        ("ncbi-disease", "biobert", "welt", None, "fair"),
        ("ncbi-disease", "biobert", "welt", None, "partial"),
    ],
)
def test_nothing_is_answered_where_nothing_was_published(
    corpus: str, encoder: str, scheme: str, beta: float | None, metric: str
) -> None:
    assert published_f1(corpus=corpus, encoder=encoder, scheme=scheme, beta=beta, metric=metric) is None


def test_the_file_is_read_once() -> None:
    assert published_scores() is published_scores()
