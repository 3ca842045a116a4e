"""64-bit hashes of text, which are the same in every run and on every machine."""

from hashlib import blake2b

__all__ = ["hash_64_bits"]


def hash_64_bits(content: bytes) -> int:
    """Return the hash of some bytes as a number below 2 ** 64."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "little")
