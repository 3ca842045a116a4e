"""Recall by meaning alone."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.training.meaning_recall import TrainedEncoder, measure_meaning
from linnet.tasks.linking.training.prepared import prepare
from linnet.tasks.linking.training.searched import Searched, search_documents
from linnet.training.history import History
from tests.tasks.linking.corpora import linking_settings


class Favourite:
    """Finds one name near to everything."""

    def __init__(self, name: str) -> None:
        self.origin: dict[str, str] = {}
        self.name = name

    def learn(self, texts: Iterable[str], /) -> None: ...

    def compare(self, text: str, names: Sequence[str], /) -> list[float]:
        return [float(name == self.name) for name in names]


def searched_devel(folder: Path) -> list[Searched]:
    prepared = prepare(linking_settings(folder))
    return search_documents(Linker(prepared.vocabulary), prepared.documents["devel"], prepared.gold)


def test_the_nearest_candidate_is_judged(tmp_path: Path) -> None:
    searched = searched_devel(tmp_path)
    gold = [identifiers for each in searched for identifiers in each.gold if identifiers]

    found = measure_meaning(Favourite("Ovarian Neoplasms"), searched)
    none = measure_meaning(Favourite("nothing"), [])

    assert none == 0
    assert 0 < found < 1
    assert found >= sum(each == ("mesh:D010051",) for each in gold) / len(gold)


def test_training_that_did_not_help_is_told() -> None:
    better, worse = TrainedEncoder(History(), 0.5, 0.6), TrainedEncoder(History(), 0.612, 0.6)

    assert better.hints == []
    assert "was 61.2 before and is 60.0 after it" in worse.hints[0]
