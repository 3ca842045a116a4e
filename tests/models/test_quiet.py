"""Loading prints nothing, and leaves transformers as talkative as it was."""

from collections.abc import Iterator

import pytest
from transformers import logging as transformers_logging

from linnet.models.quiet import UNUSABLE, quietly


def test_loading_leaves_the_verbosity_as_it_was() -> None:
    before = transformers_logging.get_verbosity()

    with quietly():
        assert transformers_logging.get_verbosity() > before

    assert transformers_logging.get_verbosity() == before


@pytest.fixture
def bars() -> Iterator[None]:
    """Leave progress bars as they were."""
    had_bars = transformers_logging.is_progress_bar_enabled()
    yield
    set_bars(had_bars)


def set_bars(are_on: bool) -> None:
    if are_on:
        transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
    else:
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]


@pytest.mark.usefixtures("bars")
@pytest.mark.parametrize("are_on", [True, False])
def test_progress_bars_are_off_while_loading_and_then_as_before(are_on: bool) -> None:
    set_bars(are_on)

    with quietly():
        assert not transformers_logging.is_progress_bar_enabled()

    assert transformers_logging.is_progress_bar_enabled() is are_on


def test_an_error_comes_through_and_leaves_the_verbosity_as_it_was() -> None:
    before = transformers_logging.get_verbosity()

    with pytest.raises(OSError, match="cut off"), quietly():
        raise OSError("cut off")

    assert transformers_logging.get_verbosity() == before


def test_an_interruption_is_no_broken_file() -> None:
    assert not issubclass(KeyboardInterrupt, UNUSABLE)
    assert not issubclass(SystemExit, UNUSABLE)
    assert not issubclass(MemoryError, UNUSABLE)
