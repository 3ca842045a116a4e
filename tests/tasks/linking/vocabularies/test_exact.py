"""Look-up of names by hash."""

from linnet.tasks.linking.vocabularies.exact import build_table, hash_of, rows_with_hash


def test_all_rows_of_a_key_are_found() -> None:
    table = build_table(["b", "a", "b"], [10, 11, 12])

    assert rows_with_hash(table["exact_hash"], table["exact_row"], "b") == [10, 12]
    assert rows_with_hash(table["exact_hash"], table["exact_row"], "c") == []


def test_a_hash_is_the_same_everywhere() -> None:
    # blake2b of eight bytes, read as little endian, computed with b2sum
    assert hash_of("") == int.from_bytes(bytes.fromhex("e4a6a0577479b2b4"), "little")
