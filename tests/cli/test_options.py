"""Options that several commands share."""

from linnet.cli.options import read_options


def test_options_of_reading_become_one_record() -> None:
    found = read_options("Disease", 2, "iob2", True)

    assert (found.label, found.tag_column, found.tagging, found.repair) == ("Disease", 2, "iob2", True)
