"""Losses of whole texts: each equals its textbook form, and what is ignored costs nothing."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED, build_loss
from linnet.losses.texts import MultiLabelLoss, RegressionLoss, SpanLoss, name_answers

LABELS = ("apoptosis", "growth", "spread")


def labels_loss(weights: dict[str, float] | None = None, name: str = "cross-entropy") -> MultiLabelLoss:
    """Return the loss of three labels; weights are those of the answers of all of them."""
    losses = {}
    for label in LABELS:
        own = None if weights is None else {each: weights[each] for each in name_answers(label)}
        losses[label] = build_loss(name, LabelSet(name_answers(label)), own)
    return MultiLabelLoss(losses, LABELS)


def drawn(n_texts: int = 5) -> tuple[Tensor, Tensor]:
    """Return scores (texts, labels) and targets of the same shape."""
    source = torch.Generator().manual_seed(3)
    scores = torch.randn(n_texts, len(LABELS), generator=source)
    return scores, torch.randint(0, 2, scores.shape, generator=source)


def as_answers(scores: Tensor) -> Tensor:
    """Return logits (texts, labels, 2) as the network gives them."""
    return torch.stack([torch.zeros_like(scores), scores], dim=-1)


def test_a_label_is_answered_with_its_name_or_not() -> None:
    assert name_answers("growth") == ("not growth", "growth")


def test_without_weights_it_is_binary_cross_entropy() -> None:
    scores, targets = drawn()

    found = labels_loss()(as_answers(scores), targets)

    assert found.item() == pytest.approx(functional.binary_cross_entropy_with_logits(scores, targets.float()).item())


def test_weights_count_by_answer_and_label() -> None:
    scores, targets = drawn()
    weights = {name: 0.5 + number for number, label in enumerate(LABELS) for name in name_answers(label)}
    weights |= {"growth": 7.0, "not spread": 0.25}

    found = labels_loss(weights)(as_answers(scores), targets)

    costs = functional.binary_cross_entropy_with_logits(scores, targets.float(), reduction="none")
    prices = torch.tensor([[weights[name_answers(LABELS[at])[own]] for at, own in enumerate(row)] for row in targets])
    by_hand = ((costs * prices).sum(dim=0) / prices.sum(dim=0)).mean()  # a weighted mean of each label, then the mean
    assert found.item() == pytest.approx(by_hand.item())


def test_equal_weights_are_none() -> None:
    scores, targets = drawn()
    alike = dict.fromkeys([name for label in LABELS for name in name_answers(label)], 1.0)

    assert torch.equal(labels_loss(alike)(as_answers(scores), targets), labels_loss()(as_answers(scores), targets))


@pytest.mark.parametrize("name", ["focal", "dice"])
def test_other_losses_are_the_mean_over_labels(name: str) -> None:
    scores, targets = drawn()
    logits = as_answers(scores)

    found = labels_loss(name=name)(logits, targets)

    alone = [
        build_loss(name, LabelSet(name_answers(label)), None)(logits[None, :, at], targets[None, :, at])
        for at, label in enumerate(LABELS)
    ]
    assert found.item() == pytest.approx(torch.stack(alone).mean().item())


def test_the_order_of_labels_is_that_of_the_outputs() -> None:
    first = build_loss("cross-entropy", LabelSet(name_answers("a")), {"a": 9.0, "not a": 1.0})
    second = build_loss("cross-entropy", LabelSet(name_answers("b")), None)
    logits, targets = as_answers(torch.tensor([[1.0, -2.0], [0.5, 0.1]])), torch.tensor([[1, 0], [0, 1]])

    one, other = (
        MultiLabelLoss(losses, ("a", "b")) for losses in ({"a": first, "b": second}, {"b": second, "a": first})
    )

    assert torch.equal(one(logits, targets), other(logits, targets))


def test_numbers_cost_the_square_of_their_error() -> None:
    found = RegressionLoss()(torch.tensor([[[0.5]], [[1.0]]]), torch.tensor([[0.0], [4.0]]))

    assert found.item() == pytest.approx((0.25 + 9) / 2)


def test_a_stretch_costs_what_its_two_places_cost() -> None:
    logits = torch.tensor([[[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]]])

    found = SpanLoss()(logits, torch.tensor([[2, 1]]))

    first = -2 + math.log(1 + math.e + math.e**2)
    last = math.log(math.e**3 + 2)
    assert found.item() == pytest.approx((first + last) / 2)


def test_ignored_places_cost_nothing_and_do_not_count() -> None:
    torch.manual_seed(1)
    logits = torch.randn(3, 2, 5)
    targets = torch.tensor([[1, 4], [IGNORED, IGNORED], [0, IGNORED]])

    found = SpanLoss()(logits, targets)

    kept = torch.stack([logits[0, 0], logits[0, 1], logits[2, 0]])
    assert found.item() == pytest.approx(functional.cross_entropy(kept, torch.tensor([1, 4, 0])).item())


def test_where_all_is_ignored_the_cost_is_zero_with_a_graph() -> None:
    logits = torch.randn(2, 2, 4, requires_grad=True)

    found = SpanLoss()(logits, torch.full((2, 2), IGNORED))
    found.backward()

    assert found.item() == 0.0
    assert logits.grad is not None
    assert torch.equal(logits.grad, torch.zeros_like(logits))


def test_padding_at_the_lowest_number_changes_no_cost() -> None:
    torch.manual_seed(1)
    logits, targets = torch.randn(2, 2, 4), torch.tensor([[1, 3], [0, 0]])
    padded = functional.pad(logits, (0, 3), value=torch.finfo(torch.float32).min)

    assert SpanLoss()(padded, targets).item() == pytest.approx(SpanLoss()(logits, targets).item())
