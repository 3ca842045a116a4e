"""Gold identifiers."""

from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers, keep_label, known_share, mention_form, seen_in
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.evaluation.examples import gold_document
from tests.tasks.linking.sources import build


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> GoldIdentifiers:
    return GoldIdentifiers(open_vocabulary(build(tmp_path_factory.mktemp("gold")).folder))


def test_bare_and_retired_identifiers_are_those_of_their_concept(gold: GoldIdentifiers) -> None:
    found = [gold.canonical(each) for each in ("D001943", "MESH:D001943", "mesh:D000001", "D999999")]

    assert found == ["mesh:D001943"] * 3 + ["mesh:D999999"]
    assert gold.concept("D999999") is None
    assert gold.relatives("mesh:D001943") == {"mesh:D009369"}


def test_a_composite_mention_has_several_identifiers_and_nil_none(gold: GoldIdentifiers) -> None:
    document = gold_document("breast and ovarian cancer, pain", ("breast and ovarian cancer", "D001943|D010051"))

    assert gold.of_span(document.spans[0]) == ("mesh:D001943", "mesh:D010051")
    assert gold.of_span(gold_document("pain", ("pain", "-1")).spans[0]) == ()


def test_the_form_of_a_mention_ignores_word_order_and_case() -> None:
    assert mention_form("Cancer, Breast") == mention_form("breast cancers")


def test_forms_and_identifiers_of_a_corpus_are_seen(gold: GoldIdentifiers) -> None:
    document = gold_document("Breast cancer (BC); BC", ("BC", "D001943"))

    assert seen_in([document], gold) == ({"breast cancer"}, {"mesh:D001943"})


def test_identifiers_of_another_vocabulary_are_refused_with_examples(gold: GoldIdentifiers) -> None:
    documents = [gold_document("pain and cancer", ("pain", "D010146"), ("cancer", "C000002"))]

    with pytest.raises(BadSetting) as refused:
        known_share(documents, gold, where="corpus")

    assert "knows 0.0% of the 2 gold identifiers" in refused.value.problem
    assert "D010146" in refused.value.problem


def test_a_corpus_without_identifiers_is_refused(gold: GoldIdentifiers) -> None:
    with pytest.raises(BadSetting) as refused:
        known_share([gold_document("pain", ("pain", "-1"))], gold, where="corpus")

    assert "no mention has an identifier" in refused.value.problem


def test_mentions_of_one_entity_type_are_kept(tmp_path: Path) -> None:
    document = gold_document("pain", ("pain", "D010146"))

    assert [len(each.spans) for each in keep_label([document], "Chemical")] == [0]
    assert [len(each.spans) for each in keep_label([document], None)] == [1]
