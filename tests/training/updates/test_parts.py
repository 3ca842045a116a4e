"""A large batch is split into parts whose gradients add up to that of the whole."""

from pathlib import Path
from typing import Any

import pytest
import torch

from linnet.training.trainer import fit
from linnet.training.updates.parts import in_parts, part_size
from tests import tiny
from tests.training.test_trainer import Recorder, job, weights


def batch(n_rows: int, width: int) -> dict[str, Any]:
    ids = torch.arange(n_rows * width).reshape(n_rows, width)
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids, "corpus": "c"}


@pytest.mark.parametrize(("most", "sizes"), [(None, [5]), (100, [5]), (20, [2, 2, 1]), (1, [1] * 5)])
def test_a_batch_is_divided_by_its_sub_words(most: int | None, sizes: list[int]) -> None:
    parts = in_parts(batch(5, 10), most)

    assert [len(part["input_ids"]) for part in parts] == sizes
    assert torch.equal(torch.cat([part["labels"] for part in parts]), batch(5, 10)["labels"])
    assert {part["corpus"] for part in parts} == {"c"}


def test_what_is_no_batch_of_windows_stays_whole() -> None:
    whole = {**batch(4, 10), "token_type_ids": torch.zeros(4, 10)}

    assert len(in_parts(whole, 1)) == 1


def test_small_encoders_are_computed_whole_and_large_ones_in_parts() -> None:
    assert part_size(torch.nn.Linear(10, 10), None) is None
    assert part_size(torch.nn.Linear(10, 10), 64) == 64
    assert part_size(torch.nn.Linear(10_000, 6_000, device="meta"), None) == 1024


@pytest.mark.parametrize("loss", [{"name": "cross-entropy", "scheme": "welt"}, {"name": "crf"}])
def test_parts_add_up_to_the_gradient_of_the_whole_batch(tmp_path: Path, loss: dict[str, str]) -> None:
    given: dict[str, Any] = {"epochs": 2, "encoder": str(tiny.still_encoder()), "loss": loss}
    whole = job(tmp_path / "whole", **given)
    parts = job(tmp_path / "parts", **(given | {"optimiser.most_tokens": 24}))

    fit(whole)
    fit(parts)

    assert isinstance(whole.watcher, Recorder)
    assert isinstance(parts.watcher, Recorder)
    assert parts.watcher.losses == pytest.approx(whole.watcher.losses, rel=1e-4)
    for name, tensor in weights(whole).items():
        torch.testing.assert_close(weights(parts)[name], tensor, rtol=1e-3, atol=1e-5)
