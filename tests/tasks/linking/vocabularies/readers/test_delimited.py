"""Lines and cells of delimited files."""

from linnet.tasks.linking.vocabularies.readers.delimited import read_header, split_list


def test_lists_have_no_empty_parts() -> None:
    assert split_list("a| b||-|c") == ("a", "b", "c")
    assert split_list("-") == ()


def test_the_header_is_the_first_line_that_is_not_blank() -> None:
    assert read_header("\n ID\tName \nx") == ["id", "name"]
