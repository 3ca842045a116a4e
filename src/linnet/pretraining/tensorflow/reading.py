"""Reading the variables of a TensorFlow 1 checkpoint.

TensorFlow is imported only here, when a checkpoint is opened, because nothing else needs it.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy.typing as npt

from linnet.errors import BadFile
from linnet.extras import missing_package

__all__ = ["TensorFlowReader", "VariableReader", "open_with_tensorflow"]

Array = npt.NDArray[Any]  # of any number type


class VariableReader(Protocol):
    """The methods of TensorFlow's checkpoint reader that are used."""

    def get_variable_to_shape_map(self) -> Mapping[str, Sequence[int]]:
        """Return each variable's shape."""
        ...

    def get_tensor(self, name: str) -> Array:
        """Return a variable's values."""
        ...


def open_with_tensorflow(prefix: Path) -> VariableReader:
    """Return TensorFlow's reader of a checkpoint."""
    # silences messages of TensorFlow about the processor
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    try:
        import tensorflow as tf
    except ImportError:
        raise missing_package("tensorflow", "reading a TensorFlow checkpoint needs TensorFlow") from None
    errors = (tf.errors.OpError, IndexError, ValueError, RuntimeError)
    with _raise_bad_file(prefix, errors):
        return TensorFlowReader(tf.train.load_checkpoint(str(prefix)), prefix, errors)


@dataclass(frozen=True)
class TensorFlowReader:
    """TensorFlow's reader, with its errors as `BadFile`; damage of a file shows only when a variable is read."""

    reader: VariableReader
    prefix: Path
    errors: tuple[type[Exception], ...]

    def get_variable_to_shape_map(self) -> Mapping[str, Sequence[int]]:
        """Return each variable's shape."""
        return self.reader.get_variable_to_shape_map()

    def get_tensor(self, name: str) -> Array:
        """Return a variable's values."""
        with _raise_bad_file(self.prefix, self.errors):
            return self.reader.get_tensor(name)


@contextmanager
def _raise_bad_file(prefix: Path, errors: tuple[type[Exception], ...]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        raise BadFile(f"{prefix}: TensorFlow cannot read this checkpoint ({error})", "copy its files again") from None
