"""The loss: means over all that an update hides, however it is cut; perplexity on the same places each time."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.nn import functional

from linnet.losses.cost_sensitive import IGNORED
from linnet.models.encoders import find_encoder
from linnet.pretraining.learning.examples import ExampleMaker, MaskedExample, collate
from linnet.pretraining.learning.networks import build_network, find_start
from linnet.pretraining.learning.objective import LanguageNetwork
from linnet.pretraining.learning.perplexity import evaluate, make_held_out_examples
from linnet.settings.pretraining import PretrainSettings
from tests import tiny


@dataclass(frozen=True)
class Piece:
    ids: NDArray[np.int64]
    sentence_starts: tuple[int, ...]
    document_starts: tuple[int, ...] = (0,)


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
def test_an_update_costs_the_same_however_it_is_cut(order: bool) -> None:
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
