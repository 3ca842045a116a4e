"""The contract of a model that can be written as ONNX, and of the check that it still predicts the same."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

__all__ = ["Exportable", "Parity"]


class Parity(Protocol):
    """Comparison of an exported model with the original."""

    @property
    def n_compared(self) -> int:
        """How many predictions were compared."""
        ...

    @property
    def n_different(self) -> int:
        """How many of them differ."""
        ...

    @property
    def largest_difference(self) -> float:
        """The largest difference between two scores of the network."""
        ...

    @property
    def points_lost(self) -> float | None:
        """How many points the exported model is below the original; None where gold is not known."""
        ...

    @property
    def unit(self) -> str:
        """What was compared, for messages."""
        ...

    def sentences(self) -> list[str]:
        """Return what commands print."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        ...


class Exportable(Protocol):
    """A model in PyTorch's format, ready to be written as ONNX."""

    @property
    def files(self) -> Sequence[str]:
        """The files of the model folder that an exported model needs besides its network."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """Remarks on the corpus that it is checked on."""
        ...

    def network(self) -> Any:
        """Return the `nn.Module` to be traced, which takes the inputs in their order and returns one tensor."""
        ...

    def inputs(self) -> Mapping[str, Any]:
        """Return an example tensor for each input, by name."""
        ...

    def axes(self) -> Mapping[str, Mapping[int, str]]:
        """Return the axes of each input that may have any size, by their names."""
        ...

    def compare(self, exported: Path) -> Parity:
        """Return how far the exported folder agrees with the original."""
        ...
