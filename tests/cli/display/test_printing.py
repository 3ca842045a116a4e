"""What commands print, and where."""

import json

import pytest

from linnet.cli.display.printing import lay_out, print_json, print_scores, print_warnings
from linnet.contracts import Table

TABLE = Table("scores", ("score", "value"), (("strict", "81.02"),), ("label and both ends",), "what counts")


def test_json_stands_alone_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"f1": 0.5, "label": "Krankheit ä"})
    print_warnings(["few mentions"])

    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"f1": 0.5, "label": "Krankheit ä"}
    assert printed.err == "warning: few mentions\n"


def test_remarks_are_shown_where_there_is_room() -> None:
    wide, narrow = lay_out(TABLE, 120), lay_out(TABLE, 80)

    assert [column.header for column in wide.columns] == ["score", "value", "what counts"]
    assert [column.header for column in narrow.columns] == ["score", "value"]


def test_a_table_has_its_title_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    print_scores([TABLE])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "scores"
    assert lines[-1].split()[:2] == ["strict", "81.02"]
