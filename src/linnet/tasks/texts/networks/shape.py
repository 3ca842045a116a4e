"""The shape of a network about texts: its kind of prediction, its pooling, and how it reads pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from linnet.tasks.texts.kinds import Kind, find_kind

__all__ = ["Shape"]


@dataclass(frozen=True)
class Shape:
    """What a network about texts looks like; kept in `linnet.json`."""

    kind: Kind
    pooling: Literal["cls", "mean", "markers"] = "cls"
    windows: Literal["mean", "max"] = "mean"
    method: Literal["cross", "bi"] = "cross"

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> "Shape":
        """Return the shape that `linnet.json` holds."""
        return cls(**{**saved, "kind": find_kind(saved["kind"])})

    def as_dict(self) -> dict[str, str]:
        """Return plain values for JSON."""
        return {"kind": self.kind.name, "pooling": self.pooling, "windows": self.windows, "method": self.method}
