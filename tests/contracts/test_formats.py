"""Notes count what readers repair or leave out, and the lists of formats follow what each format can do."""

from linnet.contracts import Notes, formats, readable_formats, writable_formats


def test_notes_are_counted_with_the_first_place_of_each() -> None:
    notes = Notes()

    notes.add("tags repaired", "a.tsv:3")
    notes.add("tags repaired", "a.tsv:9", 1500)
    notes.add("files left aside", "b.png")

    assert notes.sentences() == ["tags repaired: 1,501 (first: a.tsv:3)", "files left aside: 1 (first: b.png)"]


def test_the_notes_of_two_readers_add_up() -> None:
    first, second = Notes(), Notes()
    first.add("tags repaired", "a.tsv:3")
    second.add("tags repaired", "b.tsv:1", 2)
    second.add("links left aside", "c")

    first.take(second)

    assert first.counts == {"tags repaired": 3, "links left aside": 1}
    assert first.first_place == {"tags repaired": "a.tsv:3", "links left aside": "c"}


def test_cleared_notes_are_empty() -> None:
    notes = Notes()
    notes.add("tags repaired", "a.tsv:3")

    notes.clear()

    assert notes == Notes()


def test_every_format_can_be_read_or_written() -> None:
    readable, writable = set(readable_formats()), set(writable_formats())

    assert readable | writable == set(formats.names())
    assert "parquet" in writable - readable  # which is for other programs
    assert "pubmed-xml" in readable - writable  # which is published by others
