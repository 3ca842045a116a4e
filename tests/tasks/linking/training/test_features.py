"""Features of candidates."""

from linnet.tasks.linking.candidates import CandidateFinder
from linnet.tasks.linking.evaluation.gold import mention_form
from linnet.tasks.linking.ranking import MentionText
from linnet.tasks.linking.training.features import FEATURES, GROUPS, FeatureMaker, is_group
from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions
from tests.tasks.linking.corpora import tiny_vocabulary


def maker(*mentions: LearnedMention) -> FeatureMaker:
    return FeatureMaker(tiny_vocabulary(), LearnedMentions.learn(mentions))


def mention(text: str) -> MentionText:
    return MentionText(text, text, text, "Disease")


def value(features: object, row: int, name: str) -> float:
    return float(features.values[row, FEATURES.index(name)])  # type: ignore[attr-defined]


def test_each_feature_belongs_to_one_group() -> None:
    assert len(set(FEATURES)) == len(FEATURES) == sum(map(len, GROUPS.values()))
    assert is_group("learned")
    assert not is_group("score")


def test_a_name_that_is_equal_has_its_features() -> None:
    candidates = CandidateFinder(tiny_vocabulary()).search("breast cancer")

    (found,) = maker().of_document([mention("breast cancer")], [candidates])

    assert found.values.shape == (len(found.candidates), len(FEATURES))
    assert [value(found, 0, name) for name in ("score", "exact", "first", "best_overlap")] == [1, 1, 1, 1]
    assert value(found, 0, "form_share") == 0


def test_a_learned_identifier_becomes_a_candidate() -> None:
    learned = LearnedMention("fujimycin", "fujimycin", ("mesh:D016559", "mesh:C1"), 3)

    (found,) = maker(learned).of_document([mention("fujimycin")], [[]])
    (own,) = maker(learned).of_document([mention("fujimycin")], [[]], without=3)

    assert [(each.id, each.name, each.concept >= 0) for each in found.candidates] == [
        ("mesh:D016559", "Tacrolimus", True),
        ("mesh:C1", "fujimycin", False),
    ]
    assert value(found, 0, "form_share") == 1 / 2.5
    assert own.candidates == []


def test_a_concept_that_the_document_names_elsewhere_is_marked() -> None:
    finder = CandidateFinder(tiny_vocabulary())
    texts = ["breast cancer", "cancer"]

    found = maker().of_document([mention(text) for text in texts], [finder.search(text) for text in texts])

    by_id = {each.id: value(found[1], row, "document") for row, each in enumerate(found[1].candidates)}
    assert by_id["mesh:D001943"] == 1
    assert by_id["mesh:D009369"] == 0


def test_a_learned_mention_that_names_one_concept_is_not_taken_apart() -> None:
    whole = "breast and ovarian cancer"
    learned = [LearnedMention(whole, mention_form(whole), ("mesh:D009369",), number) for number in range(3)]
    part = MentionText(whole, whole, "breast cancer", "Disease")
    candidates = CandidateFinder(tiny_vocabulary()).search("breast cancer")

    (found,) = maker(*learned).of_document([part], [candidates])

    share = {each.id: value(found, row, "form_share") for row, each in enumerate(found.candidates)}
    assert share["mesh:D009369"] == 3 / 3.5
    assert share["mesh:D001943"] == 0


def test_a_learned_concept_of_another_mention_is_marked() -> None:
    learned = LearnedMention("growths", "growth", ("mesh:D001943",), 1)
    finder = CandidateFinder(tiny_vocabulary())
    texts = ["growths", "cancer"]

    found = maker(learned).of_document([mention(text) for text in texts], [finder.search(text) for text in texts])

    by_id = {each.id: value(found[1], row, "document") for row, each in enumerate(found[1].candidates)}
    assert by_id["mesh:D001943"] == 1
