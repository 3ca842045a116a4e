"""The network with its loss: names travel, batches add up, and each parameter has its own rate."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from linnet.errors import MissingExtra
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED, build_loss
from linnet.models.encoders import find_encoder, open_token_classifier
from linnet.models.named_heads import Heads
from linnet.settings.training import LoraSettings, OptimiserSettings
from linnet.tasks.ner.heads import build_heads
from linnet.training.network import (
    CorpusLoss,
    NetworkWithLosses,
    freeze_lower_layers,
    merge_adapters,
    parameter_groups,
    with_adapters,
)
from tests import tiny

NAMES = ("O", "B-X", "I-X")
WEIGHTS = {"O": 0.2, "B-X": 3.0, "I-X": 1.5}
TAGS = [["O", "B-X", "I-X", ""], ["B-X", "", "O", ""]]  # "" is not learned from


class Lookup(nn.Module):
    """A network that knows a row of scores for each word."""

    def __init__(self, scores: Tensor) -> None:
        super().__init__()
        self.scores = nn.Parameter(scores)
        self.classifier = Heads({"head": nn.Identity()}, "head")

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Any:
        return SimpleNamespace(logits=self.classifier(self.scores[input_ids]))


def loss_and_gradient(
    names: tuple[str, ...], loss: str, weights: dict[str, float] | None
) -> tuple[float, dict[str, Tensor]]:
    """Return the loss, and the gradient of each tag's scores by the tag's name."""
    scores = torch.randn(9, 3, generator=torch.Generator().manual_seed(1))
    column = [NAMES.index(name) for name in names]
    network = Lookup(scores[:, column].clone())
    label_set = LabelSet(names)
    labels = torch.tensor([[label_set.id_by_name.get(tag, IGNORED) for tag in row] for row in TAGS])
    model = NetworkWithLosses(network, {"corpus": CorpusLoss("head", build_loss(loss, label_set, weights))})
    ids = torch.arange(8).reshape(2, 4)

    cost = model(labels, 1 / model.mass(labels), input_ids=ids, attention_mask=torch.ones_like(ids))
    cost.backward()

    assert network.scores.grad is not None
    return float(cost.detach()), {name: network.scores.grad[:, n].clone() for n, name in enumerate(names)}


@pytest.mark.parametrize(
    ("loss", "weights"),
    [("cross-entropy", WEIGHTS), ("cross-entropy", None), ("focal", WEIGHTS), ("dice", WEIGHTS), ("crf", None)],
)
@pytest.mark.parametrize("order", [("I-X", "O", "B-X"), ("B-X", "I-X", "O")])
def test_the_order_of_labels_changes_neither_loss_nor_gradients(
    loss: str, weights: dict[str, float] | None, order: tuple[str, ...]
) -> None:
    here, gradients = loss_and_gradient(NAMES, loss, weights)
    there, permuted = loss_and_gradient(order, loss, weights)

    assert there == pytest.approx(here, rel=1e-6)
    for name in NAMES:
        torch.testing.assert_close(permuted[name], gradients[name])


@pytest.mark.parametrize("loss", ["cross-entropy", "focal", "dice", "crf"])
def test_the_parts_of_a_batch_add_up_to_the_whole(loss: str) -> None:
    weights = None if loss == "crf" else WEIGHTS
    network = Lookup(torch.randn(9, 3, generator=torch.Generator().manual_seed(2)))
    model = NetworkWithLosses(network, {"corpus": CorpusLoss("head", build_loss(loss, LabelSet(NAMES), weights))})
    ids = torch.arange(8).reshape(2, 4)
    labels = torch.tensor([[0, 1, 2, IGNORED], [1, IGNORED, 0, IGNORED]])
    share = 1 / model.mass(labels)

    whole = model(labels, share, input_ids=ids, attention_mask=torch.ones_like(ids))
    parts = [model(labels[n : n + 1], share, input_ids=ids[n : n + 1], attention_mask=torch.ones(1, 4)) for n in (0, 1)]

    torch.testing.assert_close(sum(parts), whole)


def test_a_batch_with_nothing_to_learn_costs_nothing() -> None:
    network = Lookup(torch.randn(9, 3))
    model = NetworkWithLosses(
        network, {"corpus": CorpusLoss("head", build_loss("cross-entropy", LabelSet(NAMES), WEIGHTS))}
    )
    ids = torch.arange(4).reshape(1, 4)

    labels = torch.full((1, 4), IGNORED)
    cost = model(labels, torch.tensor(1.0), input_ids=ids, attention_mask=torch.ones_like(ids))
    cost.backward()

    assert cost.item() == 0


def model_of(family: str = "bert", *, lora: bool = False, freeze: int = 0) -> NetworkWithLosses:
    label_set = LabelSet(NAMES)
    network: Any = open_token_classifier(find_encoder(str(tiny.encoder(family))), label_set)
    build_heads(network, {"head": len(label_set)}, target="head")
    if lora:
        network = with_adapters(network, LoraSettings(rank=2))
    freeze_lower_layers(network, freeze)
    return NetworkWithLosses(network, {"corpus": CorpusLoss("head", build_loss("crf", label_set))})


def rates(model: NetworkWithLosses, **settings: Any) -> dict[str, tuple[float, float]]:
    """Return learning rate and weight decay of each parameter that is trained."""
    found = {}
    name_by_id = {id(parameter): name for name, parameter in model.named_parameters()}
    for group in parameter_groups(model, OptimiserSettings(learning_rate=1.0, **settings)):
        for parameter in group["params"]:
            assert id(parameter) in name_by_id
            found[name_by_id.pop(id(parameter))] = (group["lr"], group["weight_decay"])
    return found


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_parameter_is_in_one_group(family: str) -> None:
    model = model_of(family)

    assert set(rates(model)) == {name for name, _ in model.named_parameters()}


def test_groups_say_what_is_the_head_where_that_matters() -> None:
    model = model_of()
    names = {id(parameter): name for name, parameter in model.named_parameters()}

    groups = parameter_groups(model, OptimiserSettings(), is_head_apart=True)

    in_head = {names[id(each)] for group in groups if group["is_head"] for each in group["params"]}
    assert in_head == {name for name in names.values() if "bert." not in name} != set()
    assert all("is_head" not in group for group in parameter_groups(model, OptimiserSettings()))


def test_the_rate_falls_from_layer_to_layer_and_the_head_has_its_own() -> None:
    found = rates(model_of(), layer_decay=0.5, head_factor=10)

    assert found["network.classifier.heads.0.weight"][0] == found["losses.0.field.transitions"][0] == 10
    assert found["network.bert.encoder.layer.1.output.dense.weight"][0] == 1
    assert found["network.bert.encoder.layer.0.output.dense.weight"][0] == 0.5
    assert found["network.bert.embeddings.word_embeddings.weight"][0] == 0.25


def test_biases_and_norms_are_not_decayed() -> None:
    found = rates(model_of(), weight_decay=0.1)

    assert found["network.bert.encoder.layer.0.output.dense.weight"][1] == 0.1
    assert found["network.bert.encoder.layer.0.output.dense.bias"][1] == 0
    assert found["network.bert.encoder.layer.0.output.LayerNorm.weight"][1] == 0


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_frozen_layers_stay_and_the_rest_is_trained(family: str) -> None:
    model = model_of(family, freeze=1)

    trained = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    assert not any("embeddings" in name or "layer.0." in name or "layers.0." in name for name in trained)
    assert any("classifier" in name for name in trained)
    if family != "albert":  # whose layers share their weights
        assert any("layer.1." in name or "layers.1." in name for name in trained)


def test_with_adapters_only_they_and_the_head_are_trained() -> None:
    found = rates(model_of(lora=True), head_factor=10, layer_decay=0.5)

    assert all("lora_" in name or "classifier" in name or "losses.0.field" in name for name in found)
    assert {rate for name, (rate, _) in found.items() if "classifier" in name} == {10}
    assert {rate for name, (rate, _) in found.items() if "layer.0." in name} == {0.5}


def test_adapters_in_frozen_layers_are_frozen_too() -> None:
    found = rates(model_of(lora=True, freeze=1))

    assert any("layer.1." in name for name in found)
    assert not any("layer.0." in name for name in found)


def test_merging_adapters_changes_no_score() -> None:
    network: Any = model_of(lora=True).network
    for name, parameter in network.named_parameters():
        if "lora_B" in name:  # zero at the start, which would prove nothing
            torch.nn.init.normal_(parameter, std=0.1)
    ids = torch.arange(5, 15).reshape(1, 10)
    network.eval()
    before = network(input_ids=ids).logits

    merged = merge_adapters(network)

    assert not any("lora" in name for name, _ in merged.named_parameters())
    torch.testing.assert_close(merged(input_ids=ids).logits, before, atol=1e-5, rtol=1e-4)


def test_adapters_without_peft_say_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "peft", None)

    with pytest.raises(MissingExtra, match=r"pip install .*\[lora\]"):
        with_adapters(nn.Module(), LoraSettings())  # type: ignore[arg-type]
