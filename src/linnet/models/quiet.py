"""Keeps transformers quiet while it loads, and lists the errors that it raises for broken files."""

import logging

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from transformers import logging as transformers_logging

__all__ = ["UNUSABLE", "quietly"]

# raised by transformers and torch for a configuration, a tokenizer or weights that are broken
UNUSABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    RuntimeError,
    SafetensorError,
    StrictDataclassError,
    TypeError,
    ValueError,
)


class quietly:  # noqa: N801 — reads as what it does: `with quietly():`
    """Keeps transformers from printing reports and bars while it loads; problems become errors of ours."""

    def __enter__(self) -> None:
        self.level = transformers_logging.get_verbosity()
        self.had_bars = transformers_logging.is_progress_bar_enabled()
        transformers_logging.set_verbosity(logging.ERROR)
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]

    def __exit__(self, *_: object) -> None:
        transformers_logging.set_verbosity(self.level)
        if self.had_bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
