"""Arrays that are kept as files and mapped into memory, and texts kept as one array of bytes with offsets."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import BadFile

__all__ = ["SPECIES", "Array", "Texts", "map_array", "pack_texts", "save_arrays", "smallest_type"]

SPECIES = "species"  # an array that only vocabularies of genes have
Array = npt.NDArray[Any]  # Any: of the numbers that each file holds


class Texts:
    """Texts that are decoded when they are asked for."""

    def __init__(self, content: Array, offsets: Array) -> None:
        self._content, self._offsets = content.data, offsets  # slices of it are quicker than those of arrays

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, index: int) -> str:
        return str(self._content[self._offsets[index] : self._offsets[index + 1]], "utf-8")

    def encoded(self, index: int) -> bytes:
        """Return a text as UTF-8."""
        return self._content[self._offsets[index] : self._offsets[index + 1]].tobytes()

    def find(self, text: str) -> int | None:
        """Return the place of a text, or None; the texts must be sorted by their bytes."""
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.encoded(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self.encoded(low) == wanted else None


def pack_texts(texts: Iterable[str]) -> tuple[Array, Array]:
    """Return the bytes of all texts, and where each begins and the last ends."""
    encoded = [text.encode("utf-8") for text in texts]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets


def smallest_type(largest: int) -> npt.DTypeLike:
    """Return the smallest unsigned type of numpy that holds this number."""
    return np.min_scalar_type(largest)


def save_arrays(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Write each array to `NAME.npy` in the folder."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)


def map_array(folder: Path, name: str) -> Array:
    """Return an array of the folder, mapped into memory and not writable.

    Raises:
        BadFile: if it is missing or is not an array.
    """
    path = folder / f"{name}.npy"
    try:
        if path.stat().st_size == 0:
            raise ValueError("it is empty")
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", "build the vocabulary again") from None
    return np.asarray(found)  # slices of numpy's own mapped arrays are slow
