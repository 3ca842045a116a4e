"""Named heads of one network, of which one is in use: multi-task training sends each corpus through its own."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from linnet.errors import BadSetting
from linnet.models.families import TAG_HEAD

__all__ = ["Heads", "heads_of", "use_head"]


class Heads(nn.Module):
    """Named heads, of which one is in use."""

    def __init__(self, heads: Mapping[str, nn.Module], target: str) -> None:
        super().__init__()
        # listed, because a head may have a name that a module must not have
        self.heads = nn.ModuleList(heads.values())
        self.names = tuple(heads)
        self.target = self.in_use = target

    def __getitem__(self, name: str) -> nn.Module:
        return self.heads[self.names.index(name)]

    def use(self, name: str) -> None:
        """Send what comes through this head."""
        if name not in self.names:
            raise BadSetting(f"there is no head {name!r}", f"there are {', '.join(self.names)}")
        self.in_use = name

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the scores (windows, tokens, tags of the head in use); what is evaluated is the target's."""
        scores: Tensor = self[self.in_use if self.training else self.target](hidden)
        return scores


def use_head(network: Any, name: str) -> None:
    """Send what comes through this head of the network; one without named heads has no choice."""
    if isinstance(getattr(network, TAG_HEAD, None), nn.Module):
        heads_of(network).use(name)


def heads_of(network: Any) -> Heads:
    """Return the heads of a network, which peft may have wrapped."""
    found = getattr(network, TAG_HEAD)
    if hasattr(found, "modules_to_save"):
        found = found.modules_to_save["default"]
    assert isinstance(found, Heads)
    return found
