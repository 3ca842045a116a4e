"""Settings of a review."""

import pytest

from linnet.errors import BadSetting
from linnet.settings.files import with_overrides
from linnet.settings.review import ReviewSettings


def test_documents_and_output_are_enough() -> None:
    settings = with_overrides(ReviewSettings, {"source": "a.jsonl", "output": "b.jsonl"}, (), where="review")

    assert (settings.model, settings.port, settings.least_confident_first) == (None, 8000, False)


def test_a_review_needs_an_output() -> None:
    with pytest.raises(BadSetting, match="output"):
        with_overrides(ReviewSettings, {"source": "a.jsonl"}, (), where="review")
