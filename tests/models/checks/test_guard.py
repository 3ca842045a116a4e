"""The guard: what a library raises names the file; errors of ours and interruptions pass."""

from pathlib import Path

import numpy as np
import pytest

from linnet.errors import BadFile, BadSetting
from linnet.models.checks.guard import refuse_not_finite, refuse_unusable


class PanicException(BaseException):
    """What a panic in Rust becomes, under the name that the tokenizers library gives it."""


@pytest.mark.parametrize("error", [KeyError("gelu"), RuntimeError("a\nb"), PanicException("no entry found for key")])
def test_any_exception_of_a_library_becomes_one_of_ours(error: BaseException) -> None:
    with (
        pytest.raises(BadFile, match=r"^m/config\.json: cannot be used \(") as refused,
        refuse_unusable(Path("m/config.json"), "cannot be used"),
    ):
        raise error

    assert "\n" not in refused.value.problem


def test_a_message_of_one_word_comes_with_its_class() -> None:
    with pytest.raises(BadFile, match=r"\(KeyError: 'gelu'\)"), refuse_unusable(Path("m"), "broken"):
        raise KeyError("gelu")


@pytest.mark.parametrize("error", [BadSetting("a", "b"), KeyboardInterrupt(), SystemExit(1)])
def test_errors_of_ours_and_interruptions_pass(error: BaseException) -> None:
    with pytest.raises(type(error)) as passed, refuse_unusable(Path("m"), "broken"):
        raise error

    assert passed.value is error


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_are_refused(value: float) -> None:
    refuse_not_finite(np.zeros(3), Path("m"))

    with pytest.raises(BadFile, match="m: the scores of the network are not finite"):
        refuse_not_finite(np.array([0.0, value]), Path("m"))
