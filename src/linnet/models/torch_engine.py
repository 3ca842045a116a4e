"""Computes the scores of a batch with PyTorch, and opens saved networks for that."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModelForTokenClassification

from linnet.batches.encoding import Batch
from linnet.errors import BadFile
from linnet.models.checks.guard import refuse_unusable
from linnet.models.checks.weights import check_finite, open_checked_config
from linnet.models.families import TAG_HEAD
from linnet.models.heads import HEAD_PREFIX, HIDDEN_LAYER, open_two_layer_head, unused_heads
from linnet.models.precision import Precision, choose_precision, computing_in
from linnet.models.quiet import quietly
from linnet.models.tokenizer_file import TRANSITIONS, check_numbers, open_tokenizer, read_transitions
from linnet.models.unpadded import pack, packed_scores

__all__ = ["TRANSITIONS", "TorchEngine", "open_engine", "open_tokenizer", "read_transitions"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class TorchEngine:
    """Runs a network without gradients.

    Args:
        network: of `transformers`, for token classification.
        is_packed: whether it computes its batches without padding (see `unpadded.py`).
        precision: the number format that it computes in.
    """

    def __init__(self, network: nn.Module, *, is_packed: bool = False, precision: Precision = "float32") -> None:
        self.network = network
        self.is_packed = is_packed
        self.precision = precision

    def logits(self, batch: Batch) -> FloatArray:
        """Return the scores (windows, tokens, tags) of a batch."""
        device = next(self.network.parameters()).device
        was_training = self.network.training
        self.network.eval()
        with torch.inference_mode(), computing_in(self.precision, device.type):
            if self.is_packed:
                found = pad_sequence(packed_scores(self.network, batch.windows), batch_first=True)
            else:
                ids = torch.from_numpy(batch.ids).to(device)
                mask = torch.from_numpy(batch.mask).to(device)
                output: Any = self.network(input_ids=ids, attention_mask=mask)
                found = output.logits
        self.network.train(was_training)
        scores: FloatArray = found.float().cpu().numpy()
        return scores


def open_engine(
    folder: Path,
    *,
    device: str | None = None,
    threads: int | None = None,
    attention: str | None = None,
    precision: Literal["auto"] | Precision = "float32",
) -> TorchEngine:
    """Return the engine for a saved model.

    Args:
        folder: of the model.
        device: a GPU where there is one, if not given.
        threads: of the CPU, for the whole process; torch's own choice if not given.
        attention: how transformers computes attention; its own choice if not given.
        precision: number format; `auto` is bfloat16 where the processor is faster with it.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    with quietly(), refuse_unusable(folder, "the model cannot be opened", "train or copy it again"):
        network, report = AutoModelForTokenClassification.from_pretrained(
            folder,
            config=open_checked_config(folder),
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            dtype="float32",
            attn_implementation=attention,
            output_loading_info=True,
        )
        missing, unexpected = set(report["missing_keys"]), set(report["unexpected_keys"])
        if HIDDEN_LAYER in unexpected:
            open_two_layer_head(network, folder)
            missing -= {f"{HEAD_PREFIX}weight", f"{HEAD_PREFIX}bias"}
            unexpected = {name for name in unexpected if not name.startswith(HEAD_PREFIX)}
    _check_opened(network, folder, missing, unexpected)
    check_finite(network, folder)
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    network.to(place).eval()
    is_packed = place.type == "cpu" and attention is None and pack(network)  # a GPU is faster with one large batch
    return TorchEngine(network, is_packed=is_packed, precision=choose_precision(precision, network))


def _check_opened(network: Any, folder: Path, missing: set[str], unexpected: set[str]) -> None:
    """Refuse a network that lacks weights, leaves a head unused, or has no embedding for some sub-words."""
    if missing:
        absent = ", ".join(sorted(missing))
        raise BadFile(f"{folder}: the file of weights lacks {absent}", "give a model that was trained to find mentions")
    check_numbers(open_tokenizer(folder), network.get_input_embeddings().num_embeddings, folder)
    unused = unused_heads(unexpected, f"{network.base_model_prefix}.")
    if unused:
        raise BadFile(
            f"{folder}: the model has a head that Linnet does not know, so it would tag with an untrained one; "
            f"these weights would not be used: {', '.join(unused[:5])}",
            f"give a model with a linear head (`{TAG_HEAD}`), or one that `linnet train` wrote",
        )
