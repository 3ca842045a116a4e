"""The contract of a model that can be written as ONNX, and of the check that it still predicts the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from linnet.documents.counted import counted_units

__all__ = ["DIFFER", "Exportable", "LossInterval", "Parity", "describe_loss"]

DIFFER = "outputs of the network (before they become confidence) differ by at most"  # in sentences of `Parity`


@dataclass(frozen=True)
class LossInterval:
    """The 95 % interval of the points that an exported model loses, by a paired bootstrap over the test units."""

    low: float
    high: float
    units: str  # what was resampled: sentences, examples, documents or questions
    n_units: int

    @property
    def excludes_zero(self) -> bool:
        """Is the loss more than chance, so that the whole interval is above 0?"""
        return self.low > 0

    @property
    def gained(self) -> "LossInterval":
        """The interval of the points that the exported model gains."""
        return replace(self, low=0.0 - self.high, high=0.0 - self.low)  # never -0.0

    def __str__(self) -> str:
        units = counted_units(self.n_units, self.units)
        return f"95 % interval {self.low:.2f} to {self.high:.2f}, paired bootstrap over {units}"

    def as_dict(self) -> dict[str, float | str | int]:
        """Return plain values for JSON."""
        return {
            "points_lost_low": self.low,
            "points_lost_high": self.high,
            "units": self.units,
            "n_units": self.n_units,
        }


def describe_loss(points_lost: float | None, interval: LossInterval | None) -> str:
    """Return the points that an export loses or gains, as the end of a sentence; empty where gold is not known.

    >>> describe_loss(-0.67, LossInterval(low=-1.5, high=0.1, units="documents", n_units=40))
    ': 0.67 points gained (95 % interval -0.10 to 1.50, paired bootstrap over 40 documents)'
    """
    if points_lost is None or interval is None:
        return ""
    if points_lost < 0:
        return f": {-points_lost:.2f} points gained ({interval.gained})"
    return f": {points_lost:.2f} points lost ({interval})"


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
    def loss_interval(self) -> LossInterval | None:
        """The interval of the points lost; None where gold is not known."""
        ...

    @property
    def unit(self) -> str:
        """What was compared, for messages."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """Remarks on what the comparison cannot show."""
        ...

    def sentences(self) -> list[str]:
        """Return what commands print."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        ...

    def as_record(self) -> dict[str, Any]:
        """Return all of it as JSON values, from which `Exportable.restore` makes it again."""
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

    @property
    def corpus_fingerprint(self) -> str:
        """A digest of the texts and gold that it is checked on."""
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

    def restore(self, record: Mapping[str, Any]) -> Parity:
        """Return the comparison that an earlier export has kept; `record` is what `Parity.as_record` returned."""
        ...
