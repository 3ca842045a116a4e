"""The partial-label loss: O stands for every tag that was not annotated, by hand, by brute force and by gradient."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor

from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED, build_loss
from linnet.losses.marginal import MarginalLoss

NAMES = ("O", "B-Chemical", "I-Chemical", "B-Disease", "I-Disease")
CHEMICALS = ("B-Chemical", "I-Chemical")
WEIGHTS = {"O": 0.5, "B-Chemical": 9.0, "I-Chemical": 9.0, "B-Disease": 2.0, "I-Disease": 3.0}


def marginal(
    unannotated: tuple[str, ...] = CHEMICALS,
    weights: dict[str, float] | None = None,
    names: tuple[str, ...] = NAMES,
) -> MarginalLoss:
    return MarginalLoss(LabelSet(names), weights, unannotated)


def random_batch(seed: int = 1) -> tuple[Tensor, Tensor]:
    """Return logits (2, 4, 5) and targets of a corpus without chemicals."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(2, 4, 5, generator=generator, dtype=torch.float64)
    return logits, torch.tensor([[0, 3, 4, IGNORED], [0, 0, 3, 0]])


def test_the_cost_is_that_computed_by_hand() -> None:
    # probabilities 1/10, 2/10, 3/10, 1/10, 3/10; O may be O or a chemical: 6/10; B-Disease is itself: 1/10
    logits = torch.log(torch.tensor([[[1.0, 2.0, 3.0, 1.0, 3.0]] * 2]))
    targets = torch.tensor([[0, 3]])

    plain = marginal()(logits, targets)
    weighted = marginal(weights=WEIGHTS)(logits, targets)

    assert plain.item() == pytest.approx((-math.log(0.6) - math.log(0.1)) / 2)
    assert weighted.item() == pytest.approx((0.5 * -math.log(0.6) + 2.0 * -math.log(0.1)) / 2.5)


def test_the_cost_is_the_probability_of_all_rows_that_the_annotation_allows() -> None:
    logits, targets = random_batch()
    row, gold = logits[1], targets[1].tolist()
    probabilities = torch.softmax(row, dim=-1)
    allowed = [(0, 1, 2) if tag == 0 else (tag,) for tag in gold]
    rows = sum(math.prod(float(probabilities[n, tag]) for n, tag in enumerate(tags)) for tags in product(*allowed))

    found = marginal()(row.unsqueeze(0), targets[1:])

    assert 4 * found.item() == pytest.approx(-math.log(rows))


def test_with_everything_annotated_it_is_the_cross_entropy() -> None:
    logits, targets = random_batch()

    ours = marginal((), WEIGHTS)(logits, targets)

    assert ours.item() == pytest.approx(build_loss("cross-entropy", LabelSet(NAMES), WEIGHTS)(logits, targets).item())


def test_the_gradient_is_that_of_finite_differences() -> None:
    logits, targets = random_batch()
    loss = marginal(weights=WEIGHTS).double()

    assert torch.autograd.gradcheck(lambda each: loss(each, targets), logits.requires_grad_())


def test_a_confident_unannotated_tag_costs_nothing_where_the_plain_loss_punishes_it() -> None:
    logits = torch.tensor([[[0.0, 30.0, 0.0, 0.0, 0.0]]])  # a chemical, says the network
    outside = torch.tensor([[0]])

    assert marginal()(logits, outside).item() == pytest.approx(0.0, abs=1e-6)
    assert build_loss("cross-entropy", LabelSet(NAMES))(logits, outside).item() == pytest.approx(30.0)


def test_no_gradient_pulls_between_tags_that_the_annotation_leaves_open() -> None:
    logits = torch.zeros(1, 1, 5, requires_grad=True)

    marginal()(logits, torch.tensor([[0]])).backward()

    assert logits.grad is not None
    gradient = logits.grad[0, 0].tolist()
    assert gradient[0] == pytest.approx(gradient[1]) == pytest.approx(gradient[2])  # alike: p of each within the sum
    assert gradient[0] < 0 < gradient[3]


def test_padding_changes_nothing_and_an_empty_batch_costs_nothing() -> None:
    logits, targets = random_batch()
    padded = torch.cat([logits, torch.full((2, 3, 5), torch.inf)], dim=1)
    longer = torch.cat([targets, torch.full((2, 3), IGNORED)], dim=1)

    assert marginal()(padded, longer).item() == pytest.approx(marginal()(logits, targets).item())
    nothing = torch.zeros(1, 2, 5, requires_grad=True)
    cost = marginal()(nothing, torch.full((1, 2), IGNORED))
    cost.backward()
    assert cost.item() == 0


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_summed_in_single_precision(dtype: torch.dtype) -> None:
    logits, targets = random_batch()
    halves = logits.to(dtype)

    found = marginal(weights=WEIGHTS)(halves, targets)
    empty = marginal(weights=WEIGHTS)(halves, torch.full_like(targets, IGNORED))

    assert found.dtype == empty.dtype == torch.float32
    assert found.item() == marginal(weights=WEIGHTS)(halves.float(), targets).item()


def test_the_order_of_tags_changes_nothing() -> None:
    logits, targets = random_batch()
    order = [4, 2, 0, 3, 1]
    names = tuple(NAMES[n] for n in order)
    numbers = torch.tensor([order.index(n) for n in range(5)])
    permuted = torch.where(targets == IGNORED, targets, numbers[targets.clamp_min(0)])

    there = marginal(weights=WEIGHTS, names=names)(logits[..., order], permuted)

    assert there.item() == pytest.approx(marginal(weights=WEIGHTS)(logits, targets).item())


def test_extreme_scores_give_finite_gradients() -> None:
    logits = torch.tensor([[[-200.0, -200.0, -200.0, 200.0, 0.0], [200.0, -200.0, 0.0, 0.0, 0.0]]], requires_grad=True)

    marginal()(logits, torch.tensor([[0, 0]])).backward()

    assert logits.grad is not None
    assert bool(torch.isfinite(logits.grad).all())


def test_unknown_tags_are_refused_by_name() -> None:
    with pytest.raises(BadSetting, match="unknown tags: B-Gene"):
        marginal(("B-Gene",))
