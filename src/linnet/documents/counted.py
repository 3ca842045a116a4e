"""Numbers with their nouns, in the singular or in the plural."""

__all__ = ["counted", "estimated"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the plural has an `s` where none is given.

    >>> counted(1, "document"), counted(12_000, "document"), counted(0, "entry", "entries")
    ('1 document', '12,000 documents', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def estimated(number: int) -> int:
    """Return a number as exact as an estimate from a sample is: with two digits.

    >>> estimated(32_806), estimated(7), estimated(1_049), estimated(0)
    (33000, 7, 1000, 0)
    """
    return round(number, 2 - len(str(number)))
