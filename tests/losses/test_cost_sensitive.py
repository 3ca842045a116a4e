import math
from itertools import permutations

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from linnet.contracts import losses
from linnet.errors import BadSetting, UnknownName
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import (
    IGNORED,
    TokenLoss,
    build_loss,
    cross_entropy_loss,
    dice_loss,
    focal_loss,
    settings_of,
    weight_tensor,
)

NAMES = ("O", "B", "I")
WEIGHTS = {"O": 0.1724, "B": 0.4153, "I": 0.4123}  # welt on NCBI-disease
LABELS = LabelSet(NAMES)
TOKEN_LOSSES = [name for name in losses.names() if name != "crf"]


def example() -> tuple[Tensor, Tensor]:
    """Two rows of five tokens in double precision; the second row has gaps and padding."""
    logits = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    targets = torch.tensor([[0, 1, 2, 0, 0], [1, IGNORED, 2, IGNORED, IGNORED]])
    return logits.requires_grad_(), targets


def counted(logits: Tensor, targets: Tensor) -> list[tuple[Tensor, int]]:
    """The tokens that count, one by one, as a textbook would have them."""
    pairs = zip(logits.flatten(0, 1), targets.flatten().tolist(), strict=True)
    return [(row, target) for row, target in pairs if target != IGNORED]


def weights_of(name: str) -> dict[str, float] | None:
    return None if name == "crf" else WEIGHTS


def test_weights_meet_positions_in_the_order_of_the_label_set() -> None:
    for names in permutations(NAMES):
        tensor = weight_tensor(WEIGHTS, LabelSet(names), dtype=torch.float64)

        assert tensor.tolist() == [WEIGHTS[name] for name in names]
        assert weight_tensor(None, LabelSet(names)).tolist() == [1, 1, 1]


def test_weights_that_do_not_fit_the_label_set_are_refused() -> None:
    with pytest.raises(BadSetting, match="no value for I"):
        weight_tensor({"O": 1.0, "B": 1.0}, LABELS)
    with pytest.raises(BadSetting, match="unknown tags: X"):
        weight_tensor({**WEIGHTS, "X": 1.0}, LABELS)
    with pytest.raises(BadSetting, match="cannot hold"):
        weight_tensor({**WEIGHTS, "I": 1e-60}, LABELS)  # zero in single precision


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_cross_entropy_is_pytorchs(smoothing: float) -> None:
    logits, targets = example()
    weights = weight_tensor(WEIGHTS, LABELS, dtype=torch.float64)

    loss = cross_entropy_loss(logits, targets, weights, smoothing=smoothing)

    expected = functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), weight=weights, ignore_index=IGNORED, label_smoothing=smoothing
    )
    assert loss.item() == pytest.approx(expected.item(), rel=1e-12)


def test_cross_entropy_divides_by_the_summed_weights_of_the_targets() -> None:
    logits, targets = example()
    weights = torch.tensor([0.2, 0.5, 0.3], dtype=torch.float64)

    loss = cross_entropy_loss(logits, targets, weights)

    tokens = counted(logits, targets)
    cost = sum(weights[target].item() * -row.log_softmax(0)[target].item() for row, target in tokens)
    assert loss.item() == pytest.approx(cost / (3 * 0.2 + 2 * 0.5 + 2 * 0.3), rel=1e-12)


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0])
def test_focal_loss_is_the_formula_of_lin_and_others(gamma: float) -> None:
    logits, targets = example()
    weights = weight_tensor(WEIGHTS, LABELS, dtype=torch.float64)

    loss = focal_loss(logits, targets, weights, gamma=gamma)

    cost, scale = 0.0, 0.0
    for row, target in counted(logits, targets):
        probability = row.softmax(0)[target].item()
        cost += weights[target].item() * (1 - probability) ** gamma * -math.log(probability)
        scale += weights[target].item()
    assert loss.item() == pytest.approx(cost / scale, rel=1e-12)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_focal_loss_without_focus_is_cross_entropy(smoothing: float) -> None:
    logits, targets = example()
    weights = weight_tensor(WEIGHTS, LABELS, dtype=torch.float64)

    loss = focal_loss(logits, targets, weights, gamma=0.0, smoothing=smoothing)

    assert loss.item() == pytest.approx(cross_entropy_loss(logits, targets, weights, smoothing=smoothing).item())


@pytest.mark.parametrize(("alpha", "constant"), [(0.0, 1.0), (0.01, 1.0), (0.5, 0.1)])
def test_dice_loss_is_the_formula_of_li_and_others(alpha: float, constant: float) -> None:
    logits, targets = example()
    weights = weight_tensor(WEIGHTS, LABELS, dtype=torch.float64)

    loss = dice_loss(logits, targets, weights, alpha=alpha, constant=constant)

    cost, scale = 0.0, 0.0
    for row, target in counted(logits, targets):
        for tag, probability in enumerate(row.softmax(0).tolist()):
            found, gold = (1 - probability) ** alpha * probability, float(tag == target)
            dice = (2 * found * gold + constant) / (found + gold + constant)
            cost += weights[target].item() * (1 - dice) / 3
        scale += weights[target].item()
    assert loss.item() == pytest.approx(cost / scale, rel=1e-12)


def test_dice_loss_of_a_perfect_answer_is_zero_and_of_a_wrong_one_is_not() -> None:
    sure = torch.tensor([[[40.0, 0.0, 0.0]]])
    loss = build_loss("dice", LABELS, alpha=0.0)

    right, wrong = loss(sure, torch.tensor([[0]])), loss(sure, torch.tensor([[1]]))

    assert right.item() == pytest.approx(0, abs=1e-6)
    assert wrong.item() == pytest.approx((0.5 + 0.5) / 3)  # by hand: one missed tag, one false tag, one right


@pytest.mark.parametrize("name", losses.names())
def test_the_order_of_labels_changes_neither_loss_nor_gradients(name: str) -> None:
    logits, targets = example()
    loss = build_loss(name, LABELS, weights_of(name))(logits, targets)
    (gradient,) = torch.autograd.grad(loss, logits)

    for names in permutations(NAMES):
        order = [NAMES.index(tag) for tag in names]  # position in the new set -> position in the old one
        new_logits = logits.detach()[..., order].requires_grad_()
        renumbered = torch.tensor([names.index(tag) for tag in NAMES])[targets.clamp_min(0)]
        new_targets = torch.where(targets == IGNORED, IGNORED, renumbered)

        new_loss = build_loss(name, LabelSet(names), weights_of(name))(new_logits, new_targets)

        (new_gradient,) = torch.autograd.grad(new_loss, new_logits)
        torch.testing.assert_close(new_loss, loss)
        torch.testing.assert_close(new_gradient, gradient[..., order])


@pytest.mark.parametrize("name", TOKEN_LOSSES)
def test_a_common_factor_of_the_weights_cancels(name: str) -> None:
    logits, targets = example()
    tenfold = {tag: 10 * weight for tag, weight in WEIGHTS.items()}

    loss = build_loss(name, LABELS, tenfold)(logits, targets)

    torch.testing.assert_close(loss, build_loss(name, LABELS, WEIGHTS)(logits, targets))


@pytest.mark.parametrize("name", losses.names())
def test_padding_and_what_stands_in_it_change_nothing(name: str) -> None:
    logits, targets = example()
    junk = torch.full((2, 3, 3), 50.0, dtype=torch.float64)
    wider = torch.cat([logits, junk], dim=1)
    empty_row = torch.full((1, 8), IGNORED)

    loss = build_loss(name, LABELS, weights_of(name))
    padded = loss(
        torch.cat([wider, wider[:1] * 7]),
        torch.cat([functional.pad(targets, (0, 3), value=IGNORED), empty_row]),
    )

    torch.testing.assert_close(padded, loss(logits, targets))


@pytest.mark.parametrize("name", losses.names())
def test_ignored_tokens_get_no_gradient(name: str) -> None:
    logits, targets = example()

    loss = build_loss(name, LABELS, weights_of(name))(logits, targets)
    (gradient,) = torch.autograd.grad(loss, logits)

    assert not gradient[targets == IGNORED].any()
    assert gradient[targets != IGNORED].any(dim=-1).all()


@pytest.mark.parametrize("name", losses.names())
@pytest.mark.parametrize("shape", [(2, 3), (2, 0), (0, 3)])
def test_an_empty_batch_costs_nothing_and_has_a_graph(name: str, shape: tuple[int, int]) -> None:
    logits = torch.ones(*shape, 3, requires_grad=True)

    loss = build_loss(name, LABELS, weights_of(name))(logits, torch.full(shape, IGNORED))
    (gradient,) = torch.autograd.grad(loss, logits)

    assert loss.item() == 0.0
    assert not gradient.any()


@pytest.mark.parametrize("name", losses.names())
def test_gradients_agree_with_finite_differences(name: str) -> None:
    logits, targets = example()
    loss = build_loss(name, LABELS, weights_of(name))

    assert torch.autograd.gradcheck(lambda scores: loss(scores, targets), (logits,))


@pytest.mark.parametrize("name", losses.names())
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_extreme_logits_give_finite_losses_and_gradients(name: str, dtype: torch.dtype) -> None:
    logits = torch.tensor([[[9e3, -9e3, 0.0], [-9e3, 9e3, 9e3]]], dtype=dtype, requires_grad=True)
    settings = {"gamma": 0.5} if name == "focal" else {}

    for targets in ([[0, 1]], [[1, 0]]):
        loss = build_loss(name, LABELS, weights_of(name), **settings)(logits, torch.tensor(targets))
        (gradient,) = torch.autograd.grad(loss, logits)

        assert torch.isfinite(loss)
        assert torch.isfinite(gradient).all()


@pytest.mark.parametrize("name", losses.names())
def test_logits_in_half_precision_are_summed_in_single_precision(name: str) -> None:
    logits, targets = example()
    loss, coarse = build_loss(name, LABELS, weights_of(name)), logits.detach().half()

    torch.testing.assert_close(loss(coarse, targets), loss(coarse.float(), targets), rtol=0, atol=0)


@pytest.mark.parametrize("name", losses.names())
def test_every_loss_learns_a_few_tokens_by_heart(name: str) -> None:
    logits = torch.zeros(1, 6, 3, requires_grad=True)
    targets = torch.tensor([[0, 0, 0, 1, 2, IGNORED]])
    loss = build_loss(name, LABELS, weights_of(name))

    for _ in range(200):
        (gradient,) = torch.autograd.grad(loss(logits, targets), logits)
        logits = (logits - 5 * gradient).detach().requires_grad_()

    assert logits[0, :5].argmax(dim=-1).tolist() == [0, 0, 0, 1, 2]


def test_settings_are_read_off_the_loss() -> None:
    assert settings_of("cross-entropy") == {"smoothing": 0.0}
    assert settings_of("focal") == {"gamma": 2.0, "smoothing": 0.0}
    assert settings_of("dice") == {"alpha": 0.01, "constant": 1.0}
    assert settings_of("crf") == {"tagging": None}


@pytest.mark.parametrize(("name", "setting"), [("dice", "smoothing"), ("crf", "smoothing"), ("cross-entropy", "gamma")])
def test_a_setting_that_a_loss_does_not_have_is_refused(name: str, setting: str) -> None:
    with pytest.raises(BadSetting, match=f"loss '{name}' has no setting '{setting}'") as caught:
        build_loss(name, LABELS, None, **{setting: 0.1})

    assert all(known in caught.value.remedy for known in settings_of(name))


def test_a_setting_of_none_counts_as_not_given() -> None:
    assert isinstance(build_loss("dice", LABELS, None, smoothing=None, alpha=None), TokenLoss)


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [
        ("cross-entropy", "smoothing", 1.0),
        ("focal", "smoothing", -0.1),
        ("focal", "gamma", -1.0),
        ("focal", "gamma", math.nan),
        ("dice", "alpha", 1.0),
        ("dice", "constant", 0.0),
    ],
)
def test_settings_out_of_range_are_refused(name: str, setting: str, value: float) -> None:
    with pytest.raises(BadSetting, match=f"{setting} is {value}"):
        build_loss(name, LABELS, None, **{setting: value})


def test_an_unknown_loss_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'focal'"):
        build_loss("vocal", LABELS)


def test_a_saved_loss_leaves_no_weights_behind() -> None:
    loss = build_loss("cross-entropy", LABELS, WEIGHTS)

    assert isinstance(loss, TokenLoss)
    assert loss.state_dict() == {}


@pytest.mark.parametrize("function", [cross_entropy_loss, focal_loss, dice_loss])
def test_every_loss_says_what_it_is(function: object) -> None:
    for heading in ("What it computes:", "Expected inputs:", "When to prefer it:", "Source:"):
        assert heading in (function.__doc__ or "")
