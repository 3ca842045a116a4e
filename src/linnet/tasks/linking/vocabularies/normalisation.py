"""Normalisation of names and mentions, so that spellings of one name become equal.

The rules, chosen on the devel splits of NCBI-disease and BC5CDR: compatibility characters are decomposed and accents
dropped, letters become small and Greek letters are written out; `ae` and `oe` become `e`, `sulph` becomes `sulf`,
`tumour` becomes `tumor`, `glutamic acid` becomes `glutamate`; `'s` is dropped; words are runs of letters and digits, so
hyphens and other punctuation separate words; plural endings go; `ii` to `viii` become digits; `of`, `the` and the like
are dropped. Word order stays.
"""

import re
import unicodedata
from functools import lru_cache
from types import MappingProxyType

__all__ = ["DROPPED", "join", "normalise"]

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon "
    "phi chi psi omega"
).split()
WRITTEN_OUT = MappingProxyType({ord("α") + index: name for index, name in enumerate(GREEK)} | {ord("ß"): "ss"})
ROMAN = MappingProxyType({"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8"})
DROPPED = frozenset("the of and in to with by".split())
SPELLINGS = (("ae", "e"), ("oe", "e"), ("sulph", "sulf"), ("tumour", "tumor"))
ACID = re.compile(r"\b(\w{2,})ic acids?\b")
POSSESSIVE = re.compile(r"['’]s\b")
WORD = re.compile(r"[^\W_]+")
SAME_IN_SINGULAR = ("ss", "us", "is")


def normalise(name: str) -> str:
    """Return the normalised words of a name, a space between them; empty if it has neither letter nor digit.

    >>> normalise("Tumours of the β-Cells, Type II")
    'tumor beta cell type 2'
    """
    text = name.lower() if name.isascii() else _fold(name)
    for british, american in SPELLINGS:
        text = text.replace(british, american)
    if "ic acid" in text:
        text = ACID.sub(r"\1ate", text)
    if "'" in text or "’" in text:
        text = POSSESSIVE.sub("", text)
    words = [_normalise_word(word) for word in WORD.findall(text)]
    return " ".join([word for word in words if word not in DROPPED] or words)


def join(normalised: str) -> str:
    """Return the normalised name without spaces: `fk 506` and `fk506` are one name."""
    return normalised.replace(" ", "")


def _fold(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name).lower().translate(WRITTEN_OUT)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@lru_cache(maxsize=1 << 16)
def _normalise_word(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith("s") and len(word) > 3 and not word.endswith(SAME_IN_SINGULAR):
        return word[:-1]
    return ROMAN.get(word, word)
