"""Judged mentions."""

import json

import pytest

from linnet.tasks.linking.evaluation.gold import GoldIdentifiers
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, find_mentions, judge
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.evaluation.examples import gold_document
from tests.tasks.linking.sources import build


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    return Linker(open_vocabulary(build(tmp_path_factory.mktemp("judged")).folder))


def test_a_mention_has_gold_candidates_and_links(linker: Linker) -> None:
    document = gold_document("breast and ovarian cancer", ("breast and ovarian cancer", "D001943|D010051"))

    judged = judge(linker, document, GoldIdentifiers(linker.vocabulary), seen=({"breast cancer ovarian"}, set()))

    (mention,) = judged.mentions
    assert mention.answers == list(mention.gold) == ["mesh:D001943", "mesh:D010051"]
    assert mention.ranked[:2] == mention.answers
    assert mention.is_known
    assert (mention.is_seen, mention.is_seen_concept) == (True, False)
    assert judged.found == (FoundMention(0, 25, "Disease", mention.links),)


def test_a_judged_document_is_kept_and_read_again(linker: Linker) -> None:
    document = gold_document("no cancer but pain", ("cancer", "D009369"), ("pain", "-1"))
    judged = judge(linker, document, GoldIdentifiers(linker.vocabulary))

    again = JudgedDocument.from_dict(json.loads(json.dumps(judged.as_dict())))

    assert again == judged


def test_links_of_found_mentions_are_in_one_spelling(linker: Linker) -> None:
    document = gold_document("tumors", ("tumors", "D009369"))

    assert find_mentions(document, GoldIdentifiers(linker.vocabulary)) == [
        FoundMention(0, 6, "Disease", ("mesh:D009369",))
    ]
