import math
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal, localcontext

import pytest

from linnet.contracts import weighting_schemes
from linnet.errors import BadSetting, UnknownName
from linnet.losses.weighting import ens, ins, isns, none, weigh, welt

NCBI = {"O": 124452, "B": 5134, "I": 6115}  # counted in the training split of NCBI-disease
BETA = 0.99


def apply(name: str, counts: Mapping[str, int]) -> dict[str, float]:
    """The weights of any registered scheme, with a beta for the one that demands it."""
    return weigh(counts, name, beta=BETA if name == "ens" else None).weights


@pytest.mark.parametrize(
    ("o", "b", "i", "expected"),
    [
        # WeLT paper, worked example; the softmax vector as printed
        (4262718, 389892, 1215981, (0.2167, 0.4192, 0.3641)),
        # tags counted in the training splits of NCBI-disease, BC5CDR-disease, BC5CDR-chem, BC2GM and linnaeus
        (124452, 5134, 6115, (0.1724, 0.4153, 0.4123)),
        (111070, 4182, 2918, (0.1676, 0.4140, 0.4184)),
        (111067, 5203, 1900, (0.1676, 0.4104, 0.4220)),
        (318104, 15197, 22104, (0.1772, 0.4154, 0.4074)),
        (277701, 2119, 1140, (0.1577, 0.4204, 0.4219)),
    ],
)
def test_welt_gives_the_published_weights(o: int, b: int, i: int, expected: tuple[float, float, float]) -> None:
    weights = welt({"O": o, "B": b, "I": i})

    assert [round(weights[tag], 4) for tag in ("O", "B", "I")] == list(expected)


def test_the_plain_schemes_follow_their_formulas() -> None:
    counts = {"O": 100, "B": 4, "I": 25}  # weights by hand

    assert none(counts) == {"O": 1.0, "B": 1.0, "I": 1.0}
    assert ins(counts) == pytest.approx({"O": 0.01, "B": 0.25, "I": 0.04})
    assert isns(counts) == pytest.approx({"O": 0.1, "B": 0.5, "I": 0.2})
    assert ens({"O": 3, "B": 1}, beta=0.5) == pytest.approx({"O": 0.5 / 0.875, "B": 1.0})


def test_ens_with_beta_zero_is_none() -> None:
    assert ens(NCBI, beta=0) == none(NCBI)


@pytest.mark.parametrize("beta", [1 - 1e-12, 1 - 2**-53])
def test_ens_tends_to_ins_up_to_scale_as_beta_tends_to_one(beta: float) -> None:
    weights, limit = ens(NCBI, beta=beta), ins(NCBI)

    for tag in NCBI:
        assert weights[tag] / weights["O"] == pytest.approx(limit[tag] / limit["O"], rel=1e-6)


@pytest.mark.parametrize("beta", [0.3, 0.9999, 1 - 1e-9, 1 - 2**-52])
def test_ens_is_exact_where_powers_lose_their_digits(beta: float) -> None:
    with localcontext(prec=60):  # the formula as it stands, with digits to spare
        exact = {tag: float((1 - Decimal(beta)) / (1 - Decimal(beta) ** n)) for tag, n in NCBI.items()}

    assert ens(NCBI, beta=beta) == pytest.approx(exact, rel=1e-12, abs=0)


def test_ens_stays_finite_for_extreme_betas_and_counts() -> None:
    for beta in (5e-324, 1e-9, 0.5, 1 - 2**-53):
        weights = ens({"O": 10**300, "B": 1, "I": 0}, beta=beta)

        assert all(0 < weight <= 1 + 1e-12 for weight in weights.values())


def test_ens_demands_a_beta() -> None:
    with pytest.raises(BadSetting, match="needs a beta") as caught:
        ens(NCBI)

    assert "0.9999" in caught.value.remedy


@pytest.mark.parametrize("beta", [-0.1, 1.0, 1.5, math.nan])
def test_a_beta_outside_its_range_is_refused(beta: float) -> None:
    with pytest.raises(BadSetting, match="beta is"):
        weigh(NCBI, "ens", beta=beta)


def test_the_ratio_of_welt_stays_below_e() -> None:
    assert weigh({"O": 10**12, "B": 1, "I": 0}, "welt").ratio <= math.e


@pytest.mark.parametrize("name", weighting_schemes.names())
def test_no_scheme_prices_a_rare_tag_below_a_frequent_one(name: str) -> None:
    weights = apply(name, {"O": 92, "B": 5, "I": 3, "absent": 0})

    assert 0 < weights["O"] <= weights["B"] <= weights["I"] <= weights["absent"] < math.inf


@pytest.mark.parametrize("name", weighting_schemes.names())
def test_weights_do_not_depend_on_the_order_of_the_tags(name: str) -> None:
    backwards = dict(reversed(NCBI.items()))

    assert apply(name, NCBI) == apply(name, backwards)


@pytest.mark.parametrize("name", weighting_schemes.names())
def test_counts_of_zero_alone_give_equal_weights(name: str) -> None:
    weights = apply(name, {"O": 0, "B": 0})

    assert weights["O"] == weights["B"] > 0


@pytest.mark.parametrize("name", weighting_schemes.names())
def test_every_scheme_says_what_it_is(name: str) -> None:
    text = weighting_schemes.get(name).__doc__ or ""

    for heading in ("What it computes:", "Expected inputs:", "When to prefer it:", "Source:"):
        assert heading in text


def test_the_ratio_is_of_the_largest_to_the_smallest_weight() -> None:
    weighting = weigh({"O": 80, "B": 20, "I": 10}, "ins")

    assert weighting.scheme == "ins"
    assert weighting.counts == {"O": 80, "B": 20, "I": 10}
    assert weighting.ratio == pytest.approx(8)
    assert weighting.warnings == []


def test_a_scheme_that_changes_nothing_says_so() -> None:
    weighting = weigh(NCBI, "ens", beta=0.9)  # the trap of the published comparison

    assert weighting.warnings == [
        "scheme 'ens' with beta 0.9 gives every tag nearly the same weight here (ratio 1.000):"
        " it equals 'none' on this corpus"
    ]


def test_none_does_not_warn_that_it_is_none() -> None:
    assert weigh(NCBI, "none").warnings == []


def test_a_tag_that_never_occurs_is_counted_once_and_reported() -> None:
    weighting = weigh({"O": 4, "B": 1, "I": 0}, "isns")

    assert weighting.weights == {"O": 0.5, "B": 1.0, "I": 1.0}
    assert len(weighting.warnings) == 1
    assert "never occur here" in weighting.warnings[0]
    assert ": I (" in weighting.warnings[0]


@pytest.mark.parametrize("name", ["none", "ins", "isns", "welt"])
def test_a_beta_for_a_scheme_without_one_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match=f"scheme '{name}' has no beta"):
        weigh(NCBI, name, beta=0.9)


def test_an_unknown_scheme_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'welt'"):
        weigh(NCBI, "wellt")


@pytest.mark.parametrize("scheme", ["given", "none"])
def test_given_weights_are_taken_by_name(scheme: str) -> None:
    weighting = weigh(NCBI, scheme, given={"I": 3, "B": 2, "O": 1})

    assert weighting.scheme == "given"
    assert list(weighting.weights.items()) == [("O", 1.0), ("B", 2.0), ("I", 3.0)]
    assert weighting.ratio == 3


def test_given_weights_must_cover_exactly_the_tags() -> None:
    with pytest.raises(BadSetting) as caught:
        weigh(NCBI, "given", given={"O": 1.0, "B": 2.0, "I-Gene": 2.0, "X": 1.0})

    assert "no weight for I;" in caught.value.problem
    assert "unknown tags I-Gene, X" in caught.value.problem


@pytest.mark.parametrize("weight", [0.0, -1.0, math.inf, math.nan])
def test_given_weights_must_be_positive_and_finite(weight: float) -> None:
    with pytest.raises(BadSetting, match="not positive and finite: B: "):
        weigh(NCBI, "given", given={"O": 1.0, "B": weight, "I": 1.0})


def test_given_weights_beside_a_scheme_are_refused() -> None:
    ones = dict.fromkeys(NCBI, 1.0)

    with pytest.raises(BadSetting, match="together with scheme 'welt'"):
        weigh(NCBI, "welt", given=ones)
    with pytest.raises(BadSetting, match=r"together with scheme 'none' with beta 0\.9"):
        weigh(NCBI, "none", beta=0.9, given=ones)
    with pytest.raises(BadSetting, match="scheme 'given' needs weights"):
        weigh(NCBI, "given")


@pytest.mark.parametrize("counts", [{}, {"O": 3, "B": -1}])
def test_counts_that_cannot_be_are_refused(counts: dict[str, int]) -> None:
    with pytest.raises(BadSetting, match=r"empty|below zero: B: -1"):
        weigh(counts, "none")


def test_schemes_start_without_torch() -> None:
    program = (
        "import sys; from linnet.contracts import weighting_schemes; weighting_schemes.names();"
        " sys.exit('torch' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
