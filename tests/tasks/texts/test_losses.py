"""What wrong answers about texts cost: weights by name, none that does not fit, and equal ones to the last bit."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from linnet.documents.texts import TextExample
from linnet.errors import BadSetting, LinnetError
from linnet.settings.training import LossSettings
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS

CLASSES = [TextExample(str(at), "a", gold=gold) for at, gold in enumerate(["x"] * 6 + ["y"] * 3 + ["z"])]
SEVERAL = [TextExample(str(at), "a", gold=gold) for at, gold in enumerate([("x",), ("x", "y"), (), ("x",)])]


def price(kind: Any, labels: Sequence[str], rows: Sequence[TextExample], **loss: Any) -> tuple[Any, Any]:
    return kind.loss(LossSettings(**loss), labels, rows)  # type: ignore[no-any-return]  # of any kind


def test_weights_go_by_name() -> None:
    _, found = price(CLASSIFICATION, ("x", "y", "z"), CLASSES, scheme="welt")

    assert found.counts == {"x": 6, "y": 3, "z": 1}
    assert found.weights["x"] < found.weights["y"] < found.weights["z"]


def test_the_order_of_labels_does_not_matter() -> None:
    logits, targets = torch.randn(10, 1, 3, generator=torch.Generator().manual_seed(1)), torch.tensor([[0], [1], [2]])
    one, first = price(CLASSIFICATION, ("x", "y", "z"), CLASSES, scheme="welt")
    other, second = price(CLASSIFICATION, ("z", "y", "x"), CLASSES, scheme="welt")

    assert first.weights == pytest.approx(second.weights)
    turned = other(logits[:3].flip(-1), 2 - targets)
    assert one(logits[:3], targets).item() == pytest.approx(turned.item())


def test_given_weights_are_those_of_the_labels() -> None:
    _, found = price(CLASSIFICATION, ("x", "y"), CLASSES[:7], weights={"x": 1.0, "y": 3.0})

    assert found.weights == {"x": 1.0, "y": 3.0}


def test_equal_weights_give_the_loss_without_weights_to_the_last_bit() -> None:
    rows = [TextExample(str(at), "a", gold="xy"[at % 2]) for at in range(800)]  # 0.9 ** 400 is below rounding
    plain, _ = price(CLASSIFICATION, ("x", "y"), rows)
    priced, weighting = price(CLASSIFICATION, ("x", "y"), rows, scheme="ens", beta=0.9)
    logits, targets = (
        torch.randn(9, 1, 2, generator=torch.Generator().manual_seed(2)),
        torch.tensor([[0], [1], [1]] * 3),
    )

    assert weighting.weights["x"] == weighting.weights["y"]
    assert torch.equal(plain(logits, targets), priced(logits, targets))


def test_of_several_labels_each_has_two_answers_with_prices_of_their_own() -> None:
    _, found = price(MULTI_LABEL, ("x", "y"), SEVERAL, scheme="welt")

    assert found.counts == {"not x": 1, "x": 3, "not y": 3, "y": 1}
    assert found.weights["not x"] == pytest.approx(found.weights["y"])
    assert found.weights["not x"] > found.weights["x"]


def test_weights_of_answers_may_be_given() -> None:
    weights = {"not x": 1.0, "x": 2.0, "not y": 1.0, "y": 5.0}

    _, found = price(MULTI_LABEL, ("x", "y"), SEVERAL, weights=weights)

    assert found.weights == weights


@pytest.mark.parametrize("name", ["cross-entropy", "focal", "dice"])
@pytest.mark.parametrize(("kind", "rows"), [(CLASSIFICATION, CLASSES), (MULTI_LABEL, SEVERAL)])
def test_losses_of_tags_serve_for_texts(name: str, kind: Any, rows: list[TextExample]) -> None:
    loss, _ = price(kind, ("x", "y", "z") if kind is CLASSIFICATION else ("x", "y"), rows, name=name)
    shape = (4, 1, 3) if kind is CLASSIFICATION else (4, 2, 2)
    targets = torch.zeros(shape[:2], dtype=torch.int64)

    assert loss(torch.zeros(shape, requires_grad=True), targets).requires_grad


@pytest.mark.parametrize("kind", [REGRESSION, SPANS])
def test_numbers_and_stretches_have_their_one_loss(kind: Any) -> None:
    _, weighting = price(kind, (), [])

    assert (weighting.scheme, weighting.weights) == ("none", {})


@pytest.mark.parametrize("kind", [REGRESSION, SPANS])
@pytest.mark.parametrize("loss", [{"scheme": "welt"}, {"name": "focal"}, {"smoothing": 0.1}, {"weights": {"x": 1.0}}])
def test_nothing_else_fits_them(kind: Any, loss: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="is learned with one loss"):
        price(kind, (), [], **loss)


@pytest.mark.parametrize("kind", [CLASSIFICATION, MULTI_LABEL])
def test_a_loss_of_rows_of_tags_does_not_fit_texts(kind: Any) -> None:
    with pytest.raises(BadSetting, match="learns how words follow words"):
        price(kind, ("x", "y"), CLASSES, name="crf")


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ({"scheme": "wellt"}, "wellt"),
        ({"scheme": "ens"}, "beta"),
        ({"name": "focall"}, "focall"),
        ({"gamma": 2.0}, "gamma"),
        ({"weights": {"x": 1.0}}, "y"),
        ({"weights": {"x": 1.0, "y": 1.0, "z": 1.0, "w": 1.0}}, "w"),
    ],
)
def test_what_cannot_be_combined_is_refused(loss: dict[str, Any], message: str) -> None:
    with pytest.raises(LinnetError, match=message):
        price(CLASSIFICATION, ("x", "y", "z"), CLASSES, **loss)


def test_a_weight_of_an_unknown_label_is_refused_where_there_are_several() -> None:
    weights = {"not x": 1.0, "x": 2.0, "not y": 1.0, "y": 5.0, "q": 3.0}

    with pytest.raises(LinnetError, match="q"):
        price(MULTI_LABEL, ("x", "y"), SEVERAL, weights=weights)
