"""Held-out perplexity: the same masks each time, counts that add up, and scores derived from them."""

import math
from dataclasses import replace

import pytest

from linnet.pretraining.learning.perplexity import HeldOutCounts, evaluate, make_held_out_examples
from tests.pretraining.learning.test_objective import cost, parts


def test_perplexity_is_the_exponential_of_the_mean_loss_and_the_same_each_time() -> None:
    model, _, maker, pieces = parts(order=False)
    examples = make_held_out_examples(pieces, maker, 4)
    model.train()

    first, again = evaluate(model, examples, 0), evaluate(model, make_held_out_examples(pieces, maker, 4), 0)

    assert first == again
    assert model.training
    model.eval()
    assert first.perplexity == pytest.approx(math.exp(cost(model, [examples])), rel=1e-4)
    assert first.n_masked == sum(len(example.masked.positions) for example in examples)


def test_at_most_so_many_sequences_are_held_out() -> None:
    _, _, maker, pieces = parts()

    assert len(make_held_out_examples(pieces, maker, 3)) == 3
    assert len(make_held_out_examples(pieces, maker, 99)) == 4


def test_held_out_masks_do_not_depend_on_the_seed_of_the_run() -> None:
    _, _, maker, pieces = parts(order=False)
    other = replace(maker, seed=99)

    first, second = make_held_out_examples(pieces, maker, 4), make_held_out_examples(pieces, other, 4)

    assert [each.masked.positions.tolist() for each in first] == [each.masked.positions.tolist() for each in second]


def test_the_order_of_sentences_is_counted_where_there_is_one() -> None:
    model, examples, _, _ = parts()

    counts = evaluate(model, examples, 0)

    assert counts.n_ordered == 3  # the first of four sequences is a single sentence
    assert 0 <= counts.n_order_correct <= 3
    assert counts.as_dict().keys() == {"perplexity", "accuracy", "order_accuracy"}


def test_counts_of_batches_add_up() -> None:
    first = HeldOutCounts(loss=2.0, n_masked=4, n_correct=1, n_ordered=2, n_order_correct=1)

    total = first + HeldOutCounts(loss=6.0, n_masked=4, n_correct=3)

    assert total == HeldOutCounts(loss=8.0, n_masked=8, n_correct=4, n_ordered=2, n_order_correct=1)
    assert total.as_dict() == {"perplexity": pytest.approx(math.e), "accuracy": 0.5, "order_accuracy": 0.5}


@pytest.mark.parametrize("counts", [HeldOutCounts(), HeldOutCounts(loss=1e6, n_masked=1)])
def test_a_perplexity_that_is_not_finite_is_none_in_json(counts: HeldOutCounts) -> None:
    assert not math.isfinite(counts.perplexity)
    assert counts.as_dict() == {"perplexity": None, "accuracy": 0.0}
