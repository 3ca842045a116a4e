"""A document that could not be read or annotated: a failure that a job records and goes on."""

from dataclasses import dataclass

from linnet.errors import BadFile

__all__ = ["ERRORS", "Failure"]

ERRORS = "errors.jsonl"  # beside an output, or in its folder


@dataclass(frozen=True)
class Failure:
    """A document that could not be read or annotated."""

    document: str  # its id, or its place where the id cannot be read or is not unique
    reason: str
    id: str = ""  # that stands in a document which cannot be read

    def as_error(self) -> BadFile:
        """Return the error that stops a strict job."""
        return BadFile(f"document {self.document!r}: {self.reason}", "mend it, or leave out `--strict`")
