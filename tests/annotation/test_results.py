"""Counts of an annotation job."""

from linnet.annotation.results import Annotated


def test_linked_mentions_are_counted_where_there_is_a_linker() -> None:
    assert "linked" not in Annotated().as_dict()
    assert Annotated(linked=0).as_dict()["linked"] == 0


def test_speed_is_of_this_process() -> None:
    assert Annotated(tokens=30, kept_tokens=10, seconds=2.0).tokens_per_second == 10
    assert Annotated().tokens_per_second == 0
