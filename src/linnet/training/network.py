"""The network with the losses of its corpora, its parameter groups and learning rates, and LoRA adapters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from linnet.contracts import Loss
from linnet.extras import missing_package
from linnet.losses.cost_sensitive import IGNORED, TokenLoss
from linnet.losses.crf import CrfLoss, LinearChainCRF
from linnet.models.families import family_of_config
from linnet.models.named_heads import use_head
from linnet.settings.training import LoraSettings, OptimiserSettings

__all__ = ["CorpusLoss", "NetworkWithLosses", "freeze_lower_layers", "merge_adapters", "parameter_groups",
           "share_of_peak", "with_adapters"]  # fmt: skip


@dataclass(frozen=True)
class CorpusLoss:
    """How one corpus is learned: its head, its loss, and how much it counts."""

    head: str
    loss: Loss
    weight: float = 1.0  # factor on its loss


class NetworkWithLosses(nn.Module):
    """A network together with the losses of its corpora, so that parameters of both are trained, moved and saved alike.

    The first corpus is the target.
    """

    def __init__(self, network: nn.Module, corpora: Mapping[str, CorpusLoss]) -> None:
        super().__init__()
        self.network = network
        self.corpora = dict(corpora)
        self.target = next(iter(corpora))
        # listed, because a corpus may have a name that a module must not have
        self.losses = nn.ModuleList([each.loss for each in corpora.values() if isinstance(each.loss, nn.Module)])

    @property
    def loss(self) -> Loss:
        """The target's loss."""
        return self.corpora[self.target].loss

    @property
    def fields(self) -> dict[str, LinearChainCRF]:
        """What CRFs have learned about neighbouring tags, by the head that it belongs to."""
        return {each.head: each.loss.field for each in self.corpora.values() if isinstance(each.loss, CrfLoss)}

    def number_of(self, corpus: str) -> int:
        """Return the place of a corpus among the others."""
        return list(self.corpora).index(corpus)

    def forward(self, labels: Tensor, share: Tensor, corpus: str | None = None, **inputs: Tensor) -> Tensor:
        """Return this batch's part of the loss.

        Args:
            labels: what is right, in the shape that the loss wants; -100 where nothing is to be learned.
            share: of the corpus in the update, over the mass of all its batches there, over all processes.
            corpus: whose examples these are; the target's if not given.
            inputs: what the network reads: `input_ids` and `attention_mask` (windows, tokens), and what else it takes.
        """
        own = self.corpora[corpus or self.target]
        use_head(self.network, own.head)
        output: Any = self.network(**inputs)
        cost: Tensor = own.loss(output.logits, labels) * self.mass(labels, corpus) * share * own.weight
        return cost

    def mass(self, labels: Tensor, corpus: str | None = None) -> Tensor:
        """Return by how much a batch counts within its corpus: the summed weights of its targets, or their number."""
        loss = self.corpora[corpus or self.target].loss
        counted = labels[labels != IGNORED]
        if isinstance(loss, TokenLoss):
            return loss.weights.to(counted.device)[counted].sum()
        return torch.tensor(float(len(counted)), device=labels.device)


def freeze_lower_layers(network: Any, number: int) -> None:  # Any: a transformers model, or peft's wrapper
    """Keep the embeddings and so many lower layers as they are, adapters in them included."""
    if number == 0:
        return
    family = family_of_config(network.config)
    for name, parameter in _encoder_of(network).named_parameters():
        layer = family.layer_of(name)
        if family.is_below_layers(name) or (layer is not None and layer < number):
            parameter.requires_grad_(False)


def parameter_groups(
    model: NetworkWithLosses, settings: OptimiserSettings, *, is_head_apart: bool = False
) -> list[dict[str, Any]]:
    """Return the trainable parameters in groups of one learning rate and weight decay each.

    The rate falls by `layer_decay` from each layer to the one below; the head (and a CRF) gets `head_factor` times the
    full rate. Biases and norms are not decayed.

    Args:
        model: whose parameters they are.
        settings: rates and decay.
        is_head_apart: must groups say by `is_head` what they hold, so that none may hold both?
    """
    groups: dict[tuple[float, float, bool], list[nn.Parameter]] = {}
    network: Any = model.network
    family = family_of_config(network.config)
    n_layers = int(getattr(network.config, "num_hidden_layers", 0))
    base = {id(parameter) for parameter in _encoder_of(network).parameters()}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        rate, is_head = settings.learning_rate, id(parameter) not in base
        if is_head:
            rate *= settings.head_factor
        elif settings.layer_decay < 1:
            layer = family.layer_of(name)
            depth = layer + 1 if layer is not None else 0 if family.is_below_layers(name) else n_layers
            rate *= settings.layer_decay ** (n_layers - depth)
        decay = settings.weight_decay if parameter.dim() > 1 else 0.0
        groups.setdefault((rate, decay, is_head and is_head_apart), []).append(parameter)
    return [
        {"params": found, "lr": rate, "weight_decay": decay} | ({"is_head": is_head} if is_head_apart else {})
        for (rate, decay, is_head), found in groups.items()
    ]


def share_of_peak(step: int, *, n_steps: int, n_warmup: int, n_waiting: int) -> float:
    """Return the share of the peak rate at a step: nothing at first, then it rises, and falls linearly to the end."""
    if step < n_waiting:
        return 0.0
    rising = (step - n_waiting + 1) / (n_warmup + 1)
    return min(rising, max(0.0, (n_steps - step) / max(1, n_steps - n_warmup)))


def _encoder_of(network: Any) -> nn.Module:
    """Return what is not the head; peft's wrapper calls all that it wraps its base."""
    plain = network.get_base_model() if hasattr(network, "get_base_model") else network
    encoder: nn.Module = plain.base_model
    return encoder


def with_adapters(network: PreTrainedModel, settings: LoraSettings) -> Any:  # Any: peft's wrapper has the same methods
    """Return the network with low-rank adapters; only they and the head are trained."""
    try:
        from peft import LoraConfig, TaskType, get_peft_model
    except ImportError:
        raise missing_package("peft", "low-rank adapters need peft") from None
    has_head = network.base_model is not network
    encoder = f"{network.base_model_prefix}." if has_head else ""
    linear = [name for name, module in network.named_modules() if isinstance(module, nn.Linear)]
    head = {name.split(".")[0] for name, _ in network.named_parameters() if not name.startswith(encoder)}
    is_tagger = type(network).__name__.endswith("ForTokenClassification")
    config = LoraConfig(
        task_type=TaskType.TOKEN_CLS if is_tagger else None,
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=[name for name in linear if name.startswith(encoder)],
        modules_to_save=sorted(head) or None,
    )
    return get_peft_model(network, config)


def merge_adapters(network: Any) -> PreTrainedModel:
    """Return the plain network with what the adapters learned added to its weights."""
    merged: PreTrainedModel = network.merge_and_unload() if hasattr(network, "merge_and_unload") else network
    return merged
