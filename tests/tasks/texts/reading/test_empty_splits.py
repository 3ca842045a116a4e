"""Empty splits are refused with what explains them."""

import pytest

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.texts.reading.empty_splits import refuse_empty
from linnet.tasks.texts.reading.unreached import UNREACHED

EXAMPLE = TextExample("1", "text")


def test_splits_with_examples_pass() -> None:
    refuse_empty({"train": [EXAMPLE], "test": [EXAMPLE]}, "corpus", Notes())


def test_an_empty_split_is_refused_with_notes_and_reasons() -> None:
    notes = Notes()
    notes.add("pairs left out", "corpus:1")

    with pytest.raises(BadFile, match=r"corpus: the test split has no example .* \(.*pairs left out.*; no mentions\)"):
        refuse_empty({"train": [EXAMPLE], "test": []}, "corpus", notes, reasons=["no mentions"])


def test_a_single_file_is_named_without_a_split() -> None:
    with pytest.raises(BadFile) as bad:
        refuse_empty({"all": []}, "a.tsv", Notes())
    assert bad.value.problem == "a.tsv has no example that the task can use"


def test_gold_without_a_candidate_is_no_example() -> None:
    with pytest.raises(BadFile, match="the test split has no example"):
        refuse_empty({"test": [TextExample("1", "text", details={UNREACHED: "types"})]}, "corpus", Notes())
