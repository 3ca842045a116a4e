"""Markers: typed ones of ours around the mentions, and where others put theirs."""

import pytest

from linnet.tasks.relations.markers import Marker, mark, marked_pair, type_words

TEXT = "Aspirin causes ataxia-like gait."


def stretches(text: str, places: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in places]


def test_subject_and_object_get_the_markers_of_zhou_and_chen() -> None:
    marked, places = mark(TEXT, [Marker(0, 7, "Chemical", True), Marker(15, 21, "Disease", False)])

    assert marked == "@ * chemical * Aspirin @ causes # ^ disease ^ ataxia #-like gait."
    assert stretches(marked, places) == ["@ * chemical * Aspirin @", "# ^ disease ^ ataxia #"]


def test_a_mention_inside_another_is_marked_inside() -> None:
    inner, outer = Marker(15, 21, "X", True), Marker(15, 31, "Y", False)

    marked, places = mark(TEXT, [inner, outer])

    assert stretches(marked, places) == ["@ * x * ataxia @", "# ^ y ^ @ * x * ataxia @-like gait #"]


def test_mentions_that_cross_are_both_marked() -> None:
    marked, places = mark("abcd", [Marker(0, 3, "X", True), Marker(1, 4, "Y", False)])

    assert marked == "@ * x * a# ^ y ^ bc @d #"
    assert stretches(marked, places) == ["@ * x * a# ^ y ^ bc @", "# ^ y ^ bc @d #"]


def test_one_stretch_may_be_subject_and_object() -> None:
    marked, places = mark("ab", [Marker(0, 2, "X", True), Marker(0, 2, "X", False)])

    assert stretches(marked, places) == ["@ * x * # ^ x ^ ab # @", "# ^ x ^ ab #"]


def test_touching_mentions_do_not_mix_their_markers() -> None:
    marked, places = mark("ab", [Marker(1, 2, "X", False), Marker(0, 1, "X", True)])

    assert stretches(marked, places) == ["# ^ x ^ b #", "@ * x * a @"]
    assert marked == "@ * x * a @# ^ x ^ b #"


def test_a_text_without_marks_stays_as_it_is() -> None:
    assert mark(TEXT, []) == (TEXT, [])


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("GeneOrGeneProduct", "gene or gene product"),
        ("GENE-N", "gene n"),
        ("CHEMICAL", "chemical"),
        ("DNAMutation", "dna mutation"),
        ("cell_line2", "cell line 2"),
        ("Krankheitsträger", "krankheitsträger"),
        ("***", "***"),
    ],
)
def test_types_are_written_in_words(label: str, words: str) -> None:
    assert type_words(label) == words


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("in @GENE$ and @DISEASE$.", ["@GENE$", "@DISEASE$"]),
        ("@DRUG$ with @DRUG$ and @DRUG$", ["@DRUG$", "@DRUG$"]),
        ("@GENE$ and @GENE$ in @DISEASE$ and @GENE$", ["@GENE$", "@DISEASE$"]),
        ("BC6ENTC binds BC6ENTG.", ["BC6ENTC", "BC6ENTG"]),
        ("the [[ a ]] of << b >>", ["<< b >>", "[[ a ]]"]),
        ("n << 5, << b >> in [[ a ]] >> c", ["<< b >>", "[[ a ]]"]),
        ("[[(1S)-x] y]] << b >> in [[ 2-[[c]] d ]]", ["<< b >>", "[[ 2-[[c]] d ]]"]),
        ("<<b>> in [[a]]", ["<<b>>", "[[a]]"]),
        ("an @CHEM-GENE$ of its own", ["@CHEM-GENE$", "@CHEM-GENE$"]),
        ("@drug$ with @drug_n$ and @brand$", ["@drug$", "@drug_n$"]),
        ("pre@treatment$ of @problem$", ["@treatment$", "@problem$"]),
        ("an @problem-problem$ of its own", ["@problem-problem$", "@problem-problem$"]),
        ("only @GENE$ here", ["@GENE$"]),
        ("only @test$ here", ["@test$"]),
        ("only << b >> here", ["<< b >>"]),
        ("mail me@home$ now", []),
    ],
)
def test_pairs_that_others_marked_are_found(text: str, pair: list[str]) -> None:
    assert [text[start:end] for start, end in marked_pair(text)] == pair
