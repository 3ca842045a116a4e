"""Labels of two sides: what both have is scored, what only one has is counted, and sides without any are refused."""

import pytest

from linnet.contracts import Notes
from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.metrics.mentions.shared_labels import (
    SharedLabels,
    parse_map,
    restrict_units,
    share_labels,
    share_labels_of_files,
)
from linnet.metrics.mentions.units import Unit


def test_several_labels_of_the_model_may_mean_one_of_the_corpus() -> None:
    assert parse_map(["A=X", "B=X", "A=X", "C=a=b"]) == {"A": "X", "B": "X", "C": "a=b"}


@pytest.mark.parametrize(
    ("given", "message"),
    [(["Disease"], "expected MODEL=CORPUS"), (["=X"], "expected"), (["A="], "expected"), (["A=X", "A=Y"], "two names")],
)
def test_a_map_that_says_nothing_or_two_things_is_refused(given: list[str], message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        parse_map(given)


def test_all_that_is_wrong_with_a_map_is_said_together() -> None:
    with pytest.raises(BadSetting) as refused:
        parse_map(["Disease", "A=X", "A=Y", "=Z"])

    for part in ("--map Disease: expected", "two names, 'X' and 'Y'", "--map =Z: expected"):
        assert part in refused.value.problem


def test_labels_are_shared_by_name_or_by_the_map() -> None:
    found = share_labels(
        {"Disease": "Disorder", "Sign": "Disorder"}, ["Disease", "Sign", "Gene", "Drug"], ["Disorder", "Gene"]
    )

    assert found.labels == ("Disorder", "Gene")
    assert (found.only_model, found.only_corpus) == ({"Drug": 0}, {})


def test_unknown_labels_of_both_sides_are_named_together() -> None:
    with pytest.raises(BadSetting) as refused:
        share_labels({"Diseese": "Disorder", "Gene": "Geen"}, ["Disease", "Gene"], ["Disorder"])

    assert "the model has no label 'Diseese', but Disease, Gene" in refused.value.problem
    assert "the corpus has no label 'Geen', but Disorder" in refused.value.problem


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"model \(A\) and corpus \(B\) have no label in common"):
        share_labels({}, ["A"], ["B"])


def test_the_words_say_what_was_left_out() -> None:
    found = SharedLabels({}, ("X",), {"C": 1200}, {"Y": 3, "Z": 1})

    assert found.sentences() == [
        "labels that the corpus does not have, not scored: C (1,200 predicted mentions)",
        "labels that the model does not have, not scored: Y (3 true mentions), Z (1 true mention)",
    ]
    assert SharedLabels({}, ("X",)).sentences() == []


def test_the_words_leave_out_labels_without_a_mention() -> None:
    found = SharedLabels({}, ("X",), {"C": 0, "D": 2}, {"Y": 0}, are_chosen=True)

    assert found.sentences() == ["labels that `--keep-labels` leaves out, not scored: D (2 predicted mentions)"]
    assert found.as_dict()["only_model"] == {"C": 0, "D": 2}


def unit(gold: str, predicted: str) -> Unit:
    """Return a sentence with one-word mentions of these labels, `-` for words outside."""
    sides = [row.split() for row in (gold, predicted)]
    mentions = [tuple(Mention(n, n + 1, label) for n, label in enumerate(row) if label != "-") for row in sides]
    labels = [[label.strip("-") for label in row] for row in sides]
    tags = [[f"B-{label}" if label != "-" else "O" for label in row] for row in sides]
    return Unit(
        gold=mentions[0],
        predicted=mentions[1],
        strictly_predicted=mentions[1],
        gold_labels=labels[0],
        predicted_labels=labels[1],
        gold_tags=tags[0],
        predicted_tags=tags[1],
    )


def test_files_without_a_common_label_are_refused_by_name_with_the_likeliest_pair() -> None:
    units = {"good": [unit("Disease -", "Disease -")], "bad": [unit("Disease -", "DISEASE Gene")]}

    with pytest.raises(BadSetting) as refused:
        share_labels_of_files(units, None, Notes())

    assert refused.value.problem == "bad (DISEASE, Gene) and gold file (Disease) have no label in common"
    assert "`--map PREDICTED=GOLD`, e.g. `--map DISEASE=Disease`" in refused.value.remedy


@pytest.mark.parametrize("sides", [("A -", "- -"), ("- -", "B -"), ("- -", "- -")])
def test_a_side_without_mentions_has_no_other_labels(sides: tuple[str, str]) -> None:
    assert share_labels_of_files({"file": [unit(*sides)]}, None, Notes()) is None


def test_labels_that_gold_does_not_have_are_noted_where_they_count_as_wrong() -> None:
    notes = Notes()

    share_labels_of_files({"file": [unit("Disease - -", "Disease Gene Gene")]}, None, notes)

    assert notes.sentences() == [
        "mentions predicted as Gene, which gold does not have, counted as wrong; `--keep-labels Disease` scores only "
        "labels that both have: 2 (first: file)"
    ]


def test_several_labels_that_gold_does_not_have_are_one_note() -> None:
    notes = Notes()

    share_labels_of_files(
        {"a": [unit("Drug Sign - -", "Sign Drug Gene Gene")], "b": [unit("Drug Sign -", "Drug Sign Cell")]}, None, notes
    )

    (said,) = notes.sentences()
    assert said.startswith("mentions predicted as Cell, Gene, which gold")
    assert "`--keep-labels Drug,Sign`" in said
    assert said.endswith(": 3 (first: a)")


def test_chosen_labels_are_compared_and_all_others_are_counted() -> None:
    files = {"a": [unit("Drug Sign Sign", "Drug Sign Gene")]}
    notes = Notes()

    shared = share_labels_of_files(files, None, notes, chosen=["Sign"])

    assert shared is not None
    assert restrict_units(files["a"], shared) == [unit("- Sign Sign", "- Sign -")]
    assert notes.sentences() == []
    assert shared.sentences() == [
        "labels that `--keep-labels` leaves out, not scored: Drug (1 predicted mention), Gene (1 predicted mention)",
        "labels that `--keep-labels` leaves out, not scored: Drug (1 true mention)",
    ]


def test_chosen_labels_have_the_names_of_gold_and_may_be_missing_on_one_side() -> None:
    files = {"a": [unit("Sign Drug", "Symptom -")]}

    renamed = share_labels_of_files(files, {"Symptom": "Sign"}, Notes(), chosen=["Drug", "Sign"])

    assert renamed is not None
    assert restrict_units(files["a"], renamed) == [unit("Sign Drug", "Sign -")]
    with pytest.raises(
        BadSetting, match=r"neither the prediction \(Sign\) nor the gold file \(Drug, Sign\) has 'Gene'"
    ):
        share_labels_of_files(files, {"Symptom": "Sign"}, Notes(), chosen=["Gene", "Drug"])
    with pytest.raises(BadSetting, match="--keep-labels names no label"):
        share_labels_of_files(files, None, Notes(), chosen=[])


def test_a_map_leaves_labels_of_one_side_out_of_all_files_and_counts_them() -> None:
    files = {"a": [unit("X Y -", "A C C")], "b": [unit("X Y -", "A - C")]}

    shared = share_labels_of_files(files, {"A": "X"}, Notes())

    assert shared is not None
    assert (shared.labels, shared.only_model, shared.only_corpus) == (("X",), {"C": 3}, {"Y": 1})
    assert shared.sentences()[0] == (
        "labels that the gold file does not have, not scored: C (predicted: 2 in a, 1 in b)"
    )
    assert restrict_units(files["a"], shared) == [unit("X - -", "X - -")]


def test_a_map_must_name_labels_of_the_files() -> None:
    with pytest.raises(BadSetting, match="the prediction has no label 'B', but A"):
        share_labels_of_files({"a": [unit("X", "A")]}, {"B": "X"}, Notes())


def test_several_gold_labels_for_one_of_the_model_are_merged_first() -> None:
    with pytest.raises(BadSetting) as twice:
        parse_map(["Disease=DiseaseClass", "Disease=Modifier"])
    with pytest.raises(BadSetting) as none:
        share_labels({}, ["Disease"], ["DiseaseClass", "Modifier"])

    assert "linnet convert GOLD NEW --map A=X --map B=X" in twice.value.remedy
    assert "linnet convert GOLD NEW --map DiseaseClass=Disease --map Modifier=Disease`; or " in none.value.remedy
