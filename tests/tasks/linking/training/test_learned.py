"""Learned mentions."""

import json

from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions, SimilarForms

MENTIONS = [
    LearnedMention("Kidney damage", "damage kidney", ("A",), 0),
    LearnedMention("kidney damage", "damage kidney", ("B",), 1),
    LearnedMention("kidney damage", "damage kidney", ("A",), 1),
    LearnedMention("KD", "kd", ("A", "C"), 2),
]


def test_identifiers_are_counted_by_form_and_by_text() -> None:
    learned = LearnedMentions.learn(MENTIONS)

    assert learned.of_form("damage kidney") == {"A": 2, "B": 1}
    assert learned.of_text("Kidney damage") == {"A": 1}
    assert learned.of_form("unheard") == {}
    assert learned.frequency("A") == 3
    assert learned.name_of["C"] == "KD"


def test_what_a_document_has_taught_is_left_out() -> None:
    learned = LearnedMentions.learn(MENTIONS)

    assert learned.of_form("damage kidney", without=1) == {"A": 1}
    assert learned.frequency("B", without=1) == 0


def test_learned_mentions_are_kept_and_read_again() -> None:
    learned = LearnedMentions.learn(MENTIONS)

    again = LearnedMentions.from_dict(json.loads(json.dumps(learned.as_dict())))

    assert again.as_dict() == learned.as_dict()
    assert again.of_form("damage kidney") == learned.of_form("damage kidney")
    assert again.frequency("A") == learned.frequency("A")


def test_similar_forms_are_found_without_the_form_itself() -> None:
    forms = SimilarForms(["damage kidney", "damage kidney severe", "pain"])

    found = forms.search("damage kidney")

    assert [form for form, _ in found] == ["damage kidney severe"]
    assert 0.4 < found[0][1] < 1
    assert forms.search("xyz") == []


def test_without_mentions_nothing_is_similar() -> None:
    assert LearnedMentions.learn([]).similar.search("pain") == []
