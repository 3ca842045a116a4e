"""Retrieval by n-grams: the pruned search gives what comparing with every name gives."""

import random

import numpy as np
import pytest

from linnet.tasks.linking.vocabularies import retrieval
from linnet.tasks.linking.vocabularies.indexing import build_index
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.retrieval import Index, Searcher

WORDS = "breast ovarian cancer neoplasm familial type 1 2 syndrome renal cell carcinoma deficiency x linked k".split()


def make_searcher(names: list[str], concepts: list[int]) -> Searcher:
    arrays = build_index(names, range(len(names)))
    return Searcher(Index(**arrays, concept_of_rank=np.array(concepts, dtype=np.int32)[arrays["rank_row"]]))


@pytest.fixture
def searcher() -> Searcher:
    generator = random.Random(7)
    names = [" ".join(generator.choices(WORDS, k=generator.randint(1, 5))) for _ in range(600)]
    return make_searcher(names, [generator.randrange(200) for _ in names])


def best_concepts(searcher: Searcher, ranks: list[int], scores: list[float], top: int) -> dict[int, float]:
    best: dict[int, float] = {}
    for rank, score in zip(ranks, scores, strict=True):
        concept = int(searcher.index.concept_of_rank[rank])
        best[concept] = max(best.get(concept, 0.0), score)
    least = sorted(best.values(), reverse=True)[: max(top, 1)]
    return {concept: score for concept, score in best.items() if least and score >= least[-1]}


@pytest.mark.parametrize("n_direct", [0, 100_000])
@pytest.mark.parametrize("n_seeds", [1, 50, 100_000])
@pytest.mark.parametrize("top", [1, 5])
def test_pruned_and_plain_search_agree(
    searcher: Searcher, top: int, n_seeds: int, n_direct: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval, "N_SEEDS", n_seeds)
    monkeypatch.setattr(retrieval, "N_DIRECT", n_direct)
    generator = random.Random(3)
    queries = [" ".join(generator.choices([*WORDS, "canser", "ovary", "zz"], k=3)) for _ in range(60)]

    for query in queries:
        pruned, plain = searcher.most_similar(query, top), searcher.compare_with_all(query)

        found = best_concepts(searcher, pruned.ranks.tolist(), pruned.scores.tolist(), top)
        assert found == best_concepts(searcher, plain.ranks.tolist(), plain.scores.tolist(), top)


def test_scores_are_cosines() -> None:
    names = ["breast cancer", "ovarian cancer", "gout"]
    searcher = make_searcher(names, [0, 1, 2])

    found = searcher.compare_with_all("breast cancer")

    rows = searcher.index.rank_row[found.ranks].tolist()
    scores = dict(zip(rows, found.scores.tolist(), strict=True))
    assert scores[0] == pytest.approx(1.0)
    assert 0 < scores[1] < 1
    assert 2 not in scores


def test_the_cosine_is_that_of_the_plain_formula() -> None:
    names = ["abc", "abd", "xyz"]  # " ab" in two names, all others in one
    searcher = make_searcher(names, [0, 1, 2])

    found = searcher.compare_with_all("abc")

    weight_of = {n: round(256 * (np.log(4 / (1 + n)) + 0.2) ** 2) for n in (1, 2)}
    length = 4 * weight_of[1] + weight_of[2]  # " ab", "abc", "bc ", " abc", "abc "
    scores = dict(zip(searcher.index.rank_row[found.ranks].tolist(), found.scores.tolist(), strict=True))
    assert scores[1] == pytest.approx(weight_of[2] / length)


def test_a_name_without_known_grams_finds_nothing(searcher: Searcher) -> None:
    assert len(searcher.most_similar("漢字", 5).ranks) == 0


def test_a_name_of_ten_thousand_characters_is_searched(searcher: Searcher) -> None:
    assert len(searcher.most_similar(normalise("breast cancer " * 800), 5).ranks) > 0


def test_nothing_is_left_over_from_an_earlier_search(searcher: Searcher) -> None:
    first = searcher.most_similar("renal cancer", 5)
    searcher.most_similar("familial breast neoplasm", 5)
    again = searcher.most_similar("renal cancer", 5)

    assert sorted(zip(first.ranks.tolist(), first.scores.tolist(), strict=True)) == sorted(
        zip(again.ranks.tolist(), again.scores.tolist(), strict=True)
    )
