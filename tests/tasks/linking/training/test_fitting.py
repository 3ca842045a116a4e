"""Fitting of a linker."""

import pytest

from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.training.features import GROUPS
from linnet.tasks.linking.training.fitting import PENALTIES, fit_ranker
from linnet.tasks.linking.training.prepared import prepare
from linnet.tasks.linking.training.searched import search_documents
from tests import tiny
from tests.tasks.linking.corpora import linking_settings


@pytest.fixture(scope="module")
def searched() -> tuple[Linker, list, list]:  # type: ignore[type-arg]
    prepared = prepare(linking_settings(tiny.workshop() / "unused"))
    linker = Linker(prepared.vocabulary)
    train, devel = (search_documents(linker, prepared.documents[name], prepared.gold) for name in ("train", "devel"))
    return linker, train, devel


def test_the_penalty_is_chosen_on_devel(searched: tuple[Linker, list, list]) -> None:  # type: ignore[type-arg]
    ranker, choices = fit_ranker(*searched)

    assert [choice.penalty for choice in choices] == list(PENALTIES)
    assert max(choice.recall for choice in choices) == 1.0
    assert 0 <= ranker.min_score < 1
    assert ranker.learned.of_form("fujimycin")


def test_groups_of_features_can_be_left_out(searched: tuple[Linker, list, list]) -> None:  # type: ignore[type-arg]
    ranker, choices = fit_ranker(*searched, penalty=1.0, without=["learned", "similar"])

    assert not set(ranker.weights) & {*GROUPS["learned"], *GROUPS["similar"]}
    assert [choice.penalty for choice in choices] == [1.0]


def test_devel_can_be_learned_after_the_choice(searched: tuple[Linker, list, list]) -> None:  # type: ignore[type-arg]
    linker, train, devel = searched

    one, _ = fit_ranker(linker, train[:1], devel, penalty=1.0)
    both, _ = fit_ranker(linker, train[:1], devel, penalty=1.0, with_devel=True)

    assert set(one.learned.by_form) < set(both.learned.by_form)
    assert one.min_score == both.min_score
