"""Numbers with their nouns, in the singular or in the plural."""

__all__ = ["counted", "counted_units", "estimated"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun; the plural has an `s` where none is given.

    >>> counted(1, "document"), counted(12_000, "document"), counted(0, "entry", "entries")
    ('1 document', '12,000 documents', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def counted_units(number: int, units: str) -> str:
    """Return a number with its units, whose name is given in the plural, as scores have it.

    >>> counted_units(1, "documents"), counted_units(12_000, "documents"), counted_units(1, "kB")
    ('1 document', '12,000 documents', '1 kB')
    """
    return counted(number, units.removesuffix("s"), units)


def estimated(number: int) -> int:
    """Return a number as exact as an estimate from a sample is: with two digits.

    >>> estimated(32_806), estimated(7), estimated(1_049), estimated(0)
    (33000, 7, 1000, 0)
    """
    return round(number, 2 - len(str(number)))
