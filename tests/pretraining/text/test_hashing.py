"""Hashes of text, which must never change: they decide which documents are held out."""

from linnet.pretraining.text.hashing import hash_64_bits


def test_a_hash_is_the_number_of_an_eight_byte_blake2b_digest() -> None:
    # hashlib.blake2b(b"abc", digest_size=8).hexdigest() is d8bb14d833d59559, its lowest byte first
    assert hash_64_bits(b"abc") == 0x5995D533D814BBD8


def test_other_text_has_another_hash() -> None:
    hashes = {hash_64_bits(f"{number}".encode()) for number in range(1000)}

    assert len(hashes) == 1000
    assert max(hashes) < 2**64
