"""Label set: the order of tags or labels, and their ids.

Tags are always sorted, `O` first, so the same names always give the same ids.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from linnet.errors import BadSetting
from linnet.labels.tagging import OUTSIDE, split_tag, tags_of

__all__ = ["LabelSet"]

T = TypeVar("T")


@dataclass(frozen=True)
class LabelSet:
    """Names in the order of their ids; only here are names turned into ids."""

    names: tuple[str, ...]

    @classmethod
    def of_tags(cls, labels: Iterable[str], tagging: str) -> "LabelSet":
        """Return the set of all tags that the labels have in this tagging."""
        return cls(tuple(sorted(tags_of(labels, tagging), key=lambda tag: (tag != OUTSIDE, tag))))

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise BadSetting(f"a name occurs twice in {', '.join(self.names)}", "give each label once")

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @property
    def id_by_name(self) -> dict[str, int]:
        """The id of each name."""
        return {name: index for index, name in enumerate(self.names)}

    @property
    def labels(self) -> list[str]:
        """The labels of the tags, sorted."""
        return sorted({split_tag(tag)[1] for tag in self.names} - {""})

    def ids(self, names: Sequence[str]) -> list[int]:
        """Return the ids of a sequence of names."""
        id_by_name = self.id_by_name
        try:
            return [id_by_name[name] for name in names]
        except KeyError as error:
            raise BadSetting(
                f"{error.args[0]!r} is not among the names {', '.join(self.names)}",
                "use a model that was trained on these labels, or map them",
            ) from None

    def in_order(self, value_by_name: Mapping[str, T]) -> list[T]:
        """Return the values in the order of the ids; every name must have one."""
        missing = [name for name in self.names if name not in value_by_name]
        if missing:
            raise BadSetting(f"no value for {', '.join(missing)}", f"give one for each of {', '.join(self.names)}")
        return [value_by_name[name] for name in self.names]
