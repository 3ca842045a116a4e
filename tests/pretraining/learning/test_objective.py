"""The loss: means over all masked positions of an update, however it is split into batches."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.encoders import find_encoder
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, collate
from linnet.pretraining.learning.networks import build_network, find_start
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.settings.pretraining import PretrainSettings
from tests import tiny
from tests.pretraining.small import Piece


def parts(*, order: bool = True) -> tuple[LanguageNetwork, list[MaskedExample], ExampleMaker, list[Piece]]:
    folder = str(tiny.encoder("albert"))
    values: dict[str, Any] = {"texts": ["x"], "output": "unused", "encoder": folder, "budget": {"steps": 1}}
    settings = PretrainSettings.model_validate({**values, "masking": {"sentence_order": order}})
    tokenizer = find_encoder(folder).backend
    torch.manual_seed(1)
    started = build_network(find_start(settings), tokenizer, settings)
    model = LanguageNetwork(started.network, sequences_per_update=4, sentence_order=order).eval()
    maker = ExampleMaker.for_tokenizer(tokenizer, settings.masking, 1)
    ordinary = maker.subwords.ordinary.astype(np.int64)
    pieces = [Piece(np.resize(np.roll(ordinary, 7 * n), 10 + 5 * n), (0, 4) if n else (0,)) for n in range(4)]
    return model, [maker.make(piece, number) for number, piece in enumerate(pieces)], maker, pieces


def cost(model: LanguageNetwork, batches: list[list[MaskedExample]]) -> float:
    """Return the loss of an update as the trainer adds it up."""
    tensors = [collate(batch, 0) for batch in batches]
    total = sum(float(model.mass(each["labels"])) for each in tensors)
    with torch.no_grad():
        return sum(float(model(**each, share=torch.tensor(1 / total))) for each in tensors)


@pytest.mark.parametrize("order", [True, False])
def test_the_loss_of_an_update_does_not_depend_on_its_batches(order: bool) -> None:
    model, examples, _, _ = parts(order=order)

    whole = cost(model, [examples])

    assert cost(model, [examples[:1], examples[1:]]) == pytest.approx(whole, rel=1e-5)
    assert cost(model, [[example] for example in examples]) == pytest.approx(whole, rel=1e-5)


def test_the_loss_is_the_sum_of_both_means() -> None:
    model, examples, _, _ = parts()
    batch = collate(examples, 0)
    with torch.no_grad():
        output = model.network(**{key: batch[key] for key in ("input_ids", "attention_mask", "token_type_ids")})
    labels = torch.full(batch["input_ids"].shape, IGNORED).reshape(-1)
    labels[batch["positions"]] = batch["labels"]
    scores = output.prediction_logits.reshape(len(labels), -1)
    ordered = batch["order"] != IGNORED
    by_hand = functional.cross_entropy(scores, labels, ignore_index=IGNORED)
    # a sequence that cannot be split adds nothing, and counts in the mean
    of_order = functional.cross_entropy(output.sop_logits[ordered], batch["order"][ordered], reduction="sum")
    by_hand = by_hand + of_order / 4

    assert ordered.tolist() == [False, True, True, True]
    assert cost(model, [examples]) == pytest.approx(by_hand.item(), rel=1e-5)
