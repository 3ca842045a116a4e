"""Documents that were searched once."""

from pathlib import Path

from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.training.prepared import prepare
from linnet.tasks.linking.training.searched import search_documents
from tests.tasks.linking.corpora import linking_settings


def test_every_mention_has_candidates_and_gold(tmp_path: Path) -> None:
    prepared = prepare(linking_settings(tmp_path))

    found = search_documents(Linker(prepared.vocabulary), prepared.documents["devel"], prepared.gold)

    assert [each.document for each in found] == list(prepared.documents["devel"])
    assert all(len(each.parts) == len(each.gold) == len(each.document.spans) for each in found)
    assert ("mesh:D010051",) in [identifiers for each in found for identifiers in each.gold]
