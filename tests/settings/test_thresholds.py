"""Thresholds on confidence: a number, one for each label, and what is refused."""

from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.thresholds import read_thresholds


def test_a_number_is_for_all_labels_and_a_named_one_for_its_own() -> None:
    assert read_thresholds(0.9) == {"*": 0.9}
    assert read_thresholds(["0.5", "Gene=0.7"]) == {"*": 0.5, "Gene": 0.7}
    assert read_thresholds({"Gene": 0.7}) == {"Gene": 0.7}


@pytest.mark.parametrize(
    "given", [1.5, ["Gene=high"], ["0.5", "0.6"], ["=0.5"], True, {"Gene": 2.0}, {"Gene": "x"}, 3j]
)
def test_thresholds_from_python_are_refused_alike(given: Any) -> None:
    with pytest.raises(BadSetting, match=r"^--min-score: "):
        read_thresholds(given)
