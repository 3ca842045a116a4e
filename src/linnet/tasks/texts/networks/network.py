"""Networks about whole texts: an encoder with a head, built, saved and opened.

Where a class of transformers fits, it is used and saved as it is: `AutoModelForSequenceClassification` (pooling by the
first token) and `AutoModelForQuestionAnswering`. For pooling by the mean or by markers, the folder holds the plain
encoder (`AutoModel`) and a head of ours beside it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel, AutoModelForQuestionAnswering, AutoModelForSequenceClassification

from linnet.errors import BadFile
from linnet.models.checks.guard import refuse_unusable
from linnet.models.checks.weights import check_finite, open_checked_config
from linnet.models.encoders import Encoder, label_names, open_reported, quietly
from linnet.models.families import head_dropout, reads_token_types
from linnet.tasks.texts.networks.shape import Shape

__all__ = [
    "Scores",
    "TextNetwork",
    "fresh_text_network",
    "open_text_network",
    "save_text_network",
    "untaken_head",
]

HEAD = "text-head.safetensors"


def model_class(shape: Shape) -> Any:
    """Return the class of transformers that holds a network of this shape."""
    if shape.kind.has_positions:
        return AutoModelForQuestionAnswering
    has_own_head = shape.pooling == "cls" and shape.method == "cross"
    return AutoModelForSequenceClassification if has_own_head else AutoModel


@dataclass
class Scores:
    """The scores of a batch, in the shape that its loss wants."""

    logits: Tensor


class TextNetwork(nn.Module):
    """An encoder with a pooling layer and a head.

    Calling it gives scores of texts, their windows joined; `read` gives those of single windows.
    """

    def __init__(
        self, inner: Any, shape: Shape, head: nn.Linear | None = None, *, dropout: float | None = None
    ) -> None:
        super().__init__()
        self.inner, self.shape, self.head = inner, shape, head
        share = head_dropout(inner.config) if dropout is None else dropout
        self.dropout = nn.Dropout(share) if head is not None else nn.Identity()

    @property
    def config(self) -> Any:
        """The configuration of the encoder."""
        return self.inner.config

    @property
    def reads_types(self) -> bool:
        """Does the encoder tell the first text of a pair from the second by the types of tokens?"""
        return reads_token_types(self.config)

    @property
    def base_model(self) -> nn.Module:
        """The encoder without its head."""
        plain = self.inner.get_base_model() if hasattr(self.inner, "get_base_model") else self.inner  # behind adapters
        base: nn.Module = plain.base_model
        return base

    def get_input_embeddings(self) -> nn.Module:
        """Return the table of embeddings."""
        table: nn.Module = self.inner.get_input_embeddings()
        return table

    def set_input_embeddings(self, table: nn.Module) -> None:
        """Replace the table of embeddings."""
        self.inner.set_input_embeddings(table)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        token_type_ids: Tensor,
        marks: Tensor,
        owners: Tensor,
        sides: Tensor,
    ) -> Scores:
        """Return the scores of texts: (texts, 1, classes), (texts, labels, 2), (texts, 1, 1), (windows, 2, tokens).

        Args:
            input_ids: (windows, tokens).
            attention_mask: (windows, tokens).
            token_type_ids: (windows, tokens).
            marks: (windows, marks), places of what is marked.
            owners: (windows,), the number of the text that each window is of.
            sides: (windows,), 1 for the second text of a pair that is read by itself.
        """
        found = self.read(input_ids, attention_mask, token_type_ids, marks)
        if self.shape.kind.has_positions:
            return Scores(found)
        if self.shape.method == "bi":
            first, second = (_join_windows(found, owners, sides == side, "mean") for side in (0, 1))
            return Scores(functional.cosine_similarity(first, second).view(-1, 1, 1))
        joined = _join_windows(found, owners, torch.ones_like(owners, dtype=torch.bool), self.shape.windows)
        return Scores(self.shape.kind.arrange(joined))

    def read(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, marks: Tensor) -> Tensor:
        """Return the scores of each window.

        That is (windows, outputs); for spans (windows, 2, tokens), padding at minus infinity; for texts that are read
        apart (windows, width).
        """
        inputs = {"input_ids": input_ids, "attention_mask": attention_mask}
        if self.reads_types:
            inputs["token_type_ids"] = token_type_ids
        output: Any = self.inner(**inputs)
        if self.shape.kind.has_positions:
            places = torch.stack([output.start_logits, output.end_logits], dim=1)
            return places.masked_fill(attention_mask.unsqueeze(1) == 0, torch.finfo(places.dtype).min)
        if model_class(self.shape) is AutoModelForSequenceClassification:
            logits: Tensor = output.logits
            return logits
        hidden: Tensor = output.last_hidden_state
        summed = _at_marks(hidden, marks) if self.shape.pooling == "markers" else _mean(hidden, attention_mask)
        scores: Tensor = self.head(self.dropout(summed)) if self.head is not None else summed
        return scores


def fresh_text_network(
    encoder: Encoder,
    shape: Shape,
    names: Sequence[str],
    *,
    dropout: float | None = None,
    attention_dropout: float | None = None,
) -> TextNetwork:
    """Return a network of this shape; the caller has seeded.

    Its head is fresh, unless the encoder comes with one of the class of transformers: the head for answers is kept, and
    the head for labels where it has the same labels, each by its name. One without names (`LABEL_0`) says nothing of
    them.

    Args:
        encoder: what `find_encoder` found.
        shape: of the network.
        names: of its outputs; not used for spans.
        dropout: of everything but attention; the encoder's own where it is None.
        attention_dropout: likewise, of attention.
    """
    outputs = () if shape.kind.has_positions else names
    inner: Any
    inner, fresh = open_reported(
        encoder, model_class(shape), outputs, dropout=dropout, attention_dropout=attention_dropout
    )
    if model_class(shape) is AutoModelForSequenceClassification:
        _keep_by_name(inner, fresh, label_names(encoder), names)
    if shape.kind.problem_type is not None:
        inner.config.problem_type = shape.kind.problem_type  # tells a pipeline of transformers what the outputs are
    return TextNetwork(inner, shape, _head(inner, shape, len(names)), dropout=dropout)


def untaken_head(encoder: Encoder, shape: Shape, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence where the encoder comes with a head for labels that `fresh_text_network` does not keep."""
    has_head = any(str(name).endswith("ForSequenceClassification") for name in encoder.config.architectures or ())
    is_fitting = model_class(shape) is AutoModelForSequenceClassification
    if has_head and is_fitting and sorted(label_names(encoder)) != sorted(names):
        yield f"the head began anew: that of {encoder.name} has other labels"


def save_text_network(network: TextNetwork, folder: Path) -> None:
    """Write the network in the ordinary form of its class, and a head of ours beside it."""
    network.inner.save_pretrained(folder)
    if network.head is not None:
        state = {name: tensor.detach().cpu().contiguous() for name, tensor in network.head.state_dict().items()}
        save_file(state, folder / HEAD)


def open_text_network(folder: Path, shape: Shape, names: Sequence[str], *, attention: str | None = None) -> TextNetwork:
    """Return a saved network, ready to be used.

    Args:
        folder: of the model.
        shape: of the network.
        names: of its outputs.
        attention: how transformers computes attention; its own choice if not given.
    """
    with quietly(), refuse_unusable(folder, "the model cannot be opened", "train or copy it again"):
        inner, report = model_class(shape).from_pretrained(
            folder,
            config=open_checked_config(folder),
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            dtype="float32",
            attn_implementation=attention,
            output_loading_info=True,
        )
        head = _head(inner, shape, len(names))
        if head is not None:
            head.load_state_dict(_read_head(folder / HEAD))
    missing = sorted(report["missing_keys"])
    if missing:
        raise BadFile(f"{folder}: the file of weights lacks {missing[0]}", "train or copy the model again")
    network = TextNetwork(inner, shape, head).eval()
    check_finite(network, folder)
    return network


def _read_head(path: Path) -> dict[str, Tensor]:
    with refuse_unusable(path, "the head cannot be opened"):
        found = load_file(path)
    strange = [name for name, weight in found.items() if not weight.is_floating_point()]
    if strange:
        raise BadFile(f"{path}: {strange[0]} is no weight, its numbers are whole", "train or copy the model again")
    return found


def _head(inner: Any, shape: Shape, size: int) -> nn.Linear | None:
    """Return a head as transformers would initialise it, where the class has none."""
    if model_class(shape) is not AutoModel or shape.method == "bi":
        return None
    width = inner.config.hidden_size * (2 if shape.pooling == "markers" else 1)
    head = nn.Linear(width, size)
    _initialise(head, inner)
    return head


def _initialise(head: nn.Linear, inner: Any) -> None:
    with torch.no_grad():
        head.weight.normal_(std=getattr(inner.config, "initializer_range", 0.02))
        if head.bias is not None:
            head.bias.zero_()


def _keep_by_name(inner: Any, fresh: Collection[str], old: Sequence[str], new: Sequence[str]) -> None:
    """Put the outputs of a head that was in the encoder's file in their new order, or begin anew with other names.

    As where the file has another number of labels, only the last layer of the head begins anew.
    """
    own = set(inner.base_model.modules())
    layers = [(name, each) for name, each in inner.named_modules() if isinstance(each, nn.Linear) and each not in own]
    name, last = layers[-1]
    if f"{name}.weight" in fresh or list(old) == list(new):
        return
    if sorted(old) != sorted(new):
        _initialise(last, inner)
        return
    order = [list(old).index(each) for each in new]
    with torch.no_grad():
        for parameter in last.parameters():
            parameter.copy_(parameter[order].clone())


def _mean(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the mean (windows, width) over the tokens that are none of padding."""
    counted = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * counted).sum(dim=1) / counted.sum(dim=1).clamp_min(1)


def _at_marks(hidden: Tensor, marks: Tensor) -> Tensor:
    """Return what stands at the first two marks, side by side (windows, 2 * width)."""
    places = marks if marks.shape[1] >= 2 else functional.pad(marks, (0, 2 - marks.shape[1]))
    rows = torch.arange(len(hidden), device=hidden.device)
    return torch.cat([hidden[rows, places[:, 0]], hidden[rows, places[:, 1]]], dim=-1)


def _join_windows(scores: Tensor, owners: Tensor, chosen: Tensor, how: str) -> Tensor:
    """Return the scores of texts (texts, outputs) from those of their windows."""
    scores, owners = scores[chosen], owners[chosen]
    n_texts = int(owners.max()) + 1
    if n_texts == len(scores):  # a window each: the usual case
        return scores[torch.argsort(owners)]
    into = scores.new_zeros((n_texts, scores.shape[1]))
    places = owners.unsqueeze(1).expand_as(scores)
    reduce = "amax" if how == "max" else "mean"
    return into.scatter_reduce(0, places, scores, reduce=reduce, include_self=False)
