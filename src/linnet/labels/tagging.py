"""Tagging schemes (IO, IOB1, IOB2, IOBES, BILOU): encoding, decoding and detection.

| tagging | a mention of two words, then one of one word | adjacent mentions of one label |
|---|---|---|
| `io` | I-X I-X, I-X | run together |
| `iob1` | I-X I-X, I-X | the second begins with B-X (elsewhere a B is allowed, but not needed) |
| `iob2` | B-X I-X, B-X | kept apart |
| `iobes` | B-X E-X, S-X | kept apart |
| `bilou` | B-X L-X, U-X | kept apart |

Tags can be decoded in three ways: `decode` accepts only sequences that the tagging allows; `decode_well_formed` skips
mentions that the tagging does not allow (strict evaluation of a model's output); `decode_conll` makes a mention of
everything that is not `O`, as the conlleval script does.

`detect_tagging` finds the tagging of a file from the pairs of neighbouring tags in it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from linnet.errors import BadSetting, LinnetError
from linnet.labels.mention import Mention

__all__ = [
    "OUTSIDE",
    "TAGGINGS",
    "InvalidTags",
    "Pair",
    "TagPairs",
    "check_tagging",
    "decode",
    "decode_conll",
    "decode_well_formed",
    "detect_tagging",
    "encode",
    "first_fault",
    "is_allowed",
    "split_tag",
    "tags_of",
]

OUTSIDE = "O"
TAGGINGS = ("io", "iob1", "iob2", "iobes", "bilou")
PREFIXES = {"io": "I", "iob1": "BI", "iob2": "BI", "iobes": "BIES", "bilou": "BILU"}
SYNONYMS = {"U": "S", "L": "E", "M": "I", "W": "S"}  # prefixes of BILOU, BMEWO and the like as IOBES
TO_BILOU = {"S": "U", "E": "L"}

Pair = tuple[str, str]  # neighbouring tags


class InvalidTags(LinnetError):
    """A tag sequence that its tagging does not allow; `position` is the index of the wrong tag."""

    def __init__(self, position: int, found: str, before: str, tagging: str) -> None:
        super().__init__(
            f"found {found!r} after {before!r}, which {tagging} does not allow",
            "correct the tags, or read them as the conlleval script does with `--repair`",
        )
        self.position = position
        self.found = found
        self._arguments = (position, found, before, tagging)

    def __reduce__(self) -> tuple[Any, Any]:  # Any: these are other arguments than those of `LinnetError`
        """Return all four arguments, so that the error can be pickled and sent between processes."""
        return type(self), self._arguments


class TagPairs:
    """Counts of the pairs of neighbouring tags in a file; the ends of a sentence count as `O`."""

    def __init__(self) -> None:
        self.counts: Counter[Pair] = Counter()

    def add(self, tags: Sequence[str]) -> None:
        """Count the pairs of one sentence."""
        if tags.count(OUTSIDE) != len(tags):
            self.counts.update(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,))))


@lru_cache(maxsize=65536)
def split_tag(tag: str) -> tuple[str, str]:
    """Return prefix (in IOBES letters) and label of a tag; `O` has neither, a bare `B` has no label.

    >>> split_tag("U-Cell-Line"), split_tag("O"), split_tag("I")
    (('S', 'Cell-Line'), ('', ''), ('I', ''))
    """
    if tag == OUTSIDE:
        return "", ""
    prefix, dash, label = tag[:1], tag[1:2], tag[2:]
    if not prefix or prefix not in "BIESULMW" or (dash and (dash != "-" or not label)):
        raise ValueError(tag)
    return SYNONYMS.get(prefix, prefix), label


def check_tagging(name: str) -> str:
    """Return the name of a tagging in lower case, or refuse an unknown name."""
    if name.lower() not in TAGGINGS:
        raise BadSetting(f"there is no tagging called {name!r}", f"known taggings: {', '.join(TAGGINGS)}")
    return name.lower()


def tags_of(labels: Iterable[str], tagging: str) -> list[str]:
    """Return every tag that the labels have in this tagging, `O` first."""
    prefixes = PREFIXES[check_tagging(tagging)]
    return [OUTSIDE, *(f"{prefix}-{label}" for label in sorted(set(labels)) for prefix in prefixes)]


def encode(mentions: Sequence[Mention], n_tokens: int, tagging: str) -> list[str]:
    """Return one tag per token. The mentions must not overlap.

    >>> encode([Mention(0, 2, "X"), Mention(2, 3, "X")], 4, "iobes")
    ['B-X', 'E-X', 'S-X', 'O']
    """
    tags = [OUTSIDE] * n_tokens
    end_before, label_before = -1, ""
    for first, end, label, _ in mentions:
        touches = first == end_before and label == label_before
        for index in range(first, end):
            tags[index] = f"{_choose_prefix(index, first, end, tagging, touches)}-{label}"
        end_before, label_before = end, label
    return tags


def decode(tags: Sequence[str], tagging: str) -> list[Mention]:
    """Return the mentions of a tag sequence, or raise `InvalidTags` at the first tag that is not allowed."""
    fault = first_fault(tags, tagging)
    if fault is not None:
        before = tags[fault - 1] if fault else "the start"
        found = tags[fault] if fault < len(tags) else "the end"
        raise InvalidTags(min(fault, len(tags) - 1), found, before, tagging)
    return decode_conll(tags)


def first_fault(tags: Sequence[str], tagging: str) -> int | None:
    """Return the index of the first tag that is not allowed at its place, `len(tags)` for the end."""
    for index, (before, tag) in enumerate(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,)))):
        if not is_allowed(before, tag, tagging):
            return index
    return None


@lru_cache(maxsize=65536)
def is_allowed(before: str, tag: str, tagging: str) -> bool:
    """May `tag` follow `before` in this tagging? The ends of a sentence count as `O`."""
    prefix_before, label_before = split_tag(before)
    prefix, label = split_tag(tag)
    if tagging == "io":
        return prefix in ("", "I")
    if tagging in ("iob1", "iob2") and prefix in ("E", "S"):
        return False
    continues = prefix_before in ("B", "I") and label == label_before
    if tagging == "iob1":
        return True  # a B that is not needed means the same as an I
    if tagging == "iob2":
        return prefix != "I" or continues
    is_open = prefix_before in ("B", "I")
    return continues and prefix in ("I", "E") if is_open else prefix in ("", "B", "S")


def decode_conll(tags: Sequence[str]) -> list[Mention]:
    """Return the mentions as conlleval reads them: an I without a B begins a mention, and so does a new label.

    >>> [mention[:3] for mention in decode_conll(["O", "I-X", "I-Y", "E-Y", "I-Y"])]
    [(1, 2, 'X'), (2, 4, 'Y'), (4, 5, 'Y')]
    """
    mentions: list[Mention] = []
    first, prefix_before, label_before = -1, "", ""
    for index, tag in enumerate(tags):
        if tag == OUTSIDE:
            if first >= 0:
                mentions.append(Mention(first, index, label_before))
                first, prefix_before, label_before = -1, "", ""
            continue
        prefix, label = split_tag(tag)
        if first < 0:
            first = index
        elif prefix in ("B", "S") or prefix_before in ("E", "S") or label != label_before:
            mentions.append(Mention(first, index, label_before))
            first = index
        prefix_before, label_before = prefix, label
    if first >= 0:
        mentions.append(Mention(first, len(tags), label_before))
    return mentions


def decode_well_formed(tags: Sequence[str], tagging: str) -> list[Mention]:
    """Return only the mentions whose tags the tagging allows, from first to last token."""
    return [mention for mention in decode_conll(tags) if _is_well_formed(tags, mention, tagging)]


def detect_tagging(counts: Mapping[Pair, int]) -> str:
    """Return the most likely tagging of a file with these pairs.

    The prefixes decide between IO, IOB, IOBES and BILOU. A file with B and I is `iob2` if all pairs are allowed there.
    Otherwise it is `iob1` if more mentions begin with I than with B after another tag, and (broken) `iob2` if not.
    """
    letters = {tag[0] for _, tag in counts if tag != OUTSIDE}
    if letters & {"L", "U"}:
        return "bilou"
    if letters & {"E", "S", "M", "W"}:
        return "iobes"
    if letters == {"I"}:
        return "io"
    if all(is_allowed(before, tag, "iob2") for before, tag in counts):
        return "iob2"
    opened = Counter[str]()
    for (before, tag), number in counts.items():
        prefix, label = split_tag(tag)
        if label and label != split_tag(before)[1]:
            opened[prefix] += number
    return "iob1" if opened["I"] > opened["B"] else "iob2"


def _is_well_formed(tags: Sequence[str], mention: Mention, tagging: str) -> bool:
    if tagging in ("io", "iob1"):
        return True
    opening = tags[mention.start][0]
    if tagging == "iob2":
        return opening == "B"
    prefixes = "".join(split_tag(tag)[0] for tag in tags[mention.start : mention.end])
    return prefixes in ("S", "B" + "I" * (len(prefixes) - 2) + "E")


def _choose_prefix(index: int, first: int, end: int, tagging: str, touches: bool) -> str:
    is_first, is_last = index == first, index == end - 1
    if tagging == "io":
        return "I"
    if tagging == "iob1":
        return "B" if is_first and touches else "I"
    if tagging == "iob2":
        return "B" if is_first else "I"
    letter = "S" if is_first and is_last else "B" if is_first else "E" if is_last else "I"
    return TO_BILOU.get(letter, letter) if tagging == "bilou" else letter
