"""Exceptions for problems that a user can fix, each with a remedy."""

from collections.abc import Callable, Sequence

__all__ = ["BadFile", "BadPlugin", "BadSetting", "LinnetError", "MissingExtra", "UnknownName", "WouldLose",
           "problems_of", "refuse"]  # fmt: skip


class LinnetError(Exception):
    """A problem the user can fix; `remedy` says how."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}\n  Try: {remedy}")
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self) -> tuple[type["LinnetError"], tuple[str, str]]:
        """Return both parts, so that the error can be pickled and sent between processes."""
        return type(self), (self.problem, self.remedy)


class UnknownName(LinnetError):
    """A name that no registry entry, split or document has."""


class BadFile(LinnetError):
    """A file that cannot be read whole, or written."""


class BadSetting(LinnetError):
    """A setting, or a combination of settings, that cannot work."""


class WouldLose(LinnetError):
    """An output format that cannot hold all of the input."""


class BadPlugin(LinnetError):
    """An extension of another package that cannot be loaded."""


class MissingExtra(LinnetError):
    """An optional dependency that is not installed."""


def refuse(problems: Sequence[LinnetError]) -> None:
    """Raise all problems as one error of the first one's class, if there are any; each remedy is given once."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        remedies = dict.fromkeys(error.remedy for error in problems)
        raise type(problems[0])("\n  ".join(error.problem for error in problems), "; ".join(remedies))


def problems_of(*checks: Callable[[], object]) -> list[LinnetError]:
    """Run all checks and return the errors that they raise."""
    problems: list[LinnetError] = []
    for check in checks:
        try:
            check()
        except LinnetError as error:
            problems.append(error)
    return problems
