"""Which problems can a user fix, and how does Linnet say so?"""

__all__ = ["BadFile", "BadSetting", "LinnetError", "MissingExtra", "UnknownName", "WouldLose"]


class LinnetError(Exception):
    """A problem the user can fix; `remedy` says how."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}\n  Try: {remedy}")
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self) -> tuple[type["LinnetError"], tuple[str, str]]:
        """Both parts, so that the error survives the way back from a worker process."""
        return type(self), (self.problem, self.remedy)


class UnknownName(LinnetError):
    """A name that no registry entry, split or document answers to."""


class BadFile(LinnetError):
    """A file that cannot be read whole, or written."""


class BadSetting(LinnetError):
    """A setting, or a combination of settings, that cannot work."""


class WouldLose(LinnetError):
    """An output format that cannot hold all of the input."""


class MissingExtra(LinnetError):
    """An optional dependency that is not installed."""
