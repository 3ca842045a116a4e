"""Finished blocks come back from their files as they were, and damaged ones are refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.blocks import Failure
from linnet.annotation.done_blocks import DoneBlock, read_about, read_done_block, write_done_block
from linnet.documents.document import Document
from linnet.errors import BadFile

LEFT_OUT = Counter({("label", "Gene"): 3, ("confidence", "Disease"): 1})


def test_a_block_comes_back_with_what_was_left_out(tmp_path: Path) -> None:
    block = DoneBlock(
        number=4,
        documents=[Document("1", "Pain")],
        failures=[Failure("2", "broken")],
        n_words=1,
        digest="abc",
        left_out=LEFT_OUT,
    )

    write_done_block(tmp_path / "block", block)

    assert read_done_block(tmp_path / "block", 4) == block
    assert read_about(tmp_path / "block").left_out == LEFT_OUT


def test_where_nothing_is_left_out_the_file_does_not_speak_of_it(tmp_path: Path) -> None:
    write_done_block(tmp_path / "block", DoneBlock(number=0, documents=[], failures=[], n_words=0))

    assert "left_out" not in (tmp_path / "block").read_text(encoding="utf-8")
    assert not read_about(tmp_path / "block").left_out


@pytest.mark.parametrize("left_out", [5, [["label", "Gene"]], [["label", 3, 1]], [["label", "Gene", "1"]]])
def test_a_damaged_first_line_is_refused(tmp_path: Path, left_out: Any) -> None:
    about = {"words": 1, "input": "abc", "failures": [], "left_out": left_out, "rows": 0}
    (tmp_path / "block").write_text(json.dumps(about) + "\n", encoding="utf-8")

    with pytest.raises(BadFile):
        read_about(tmp_path / "block")
