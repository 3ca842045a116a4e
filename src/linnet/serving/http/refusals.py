"""Refusals of the web service: one JSON shape with the problem, its place and a remedy, and a status for each."""

import logging
import re
from collections.abc import Mapping
from typing import Any

from linnet.errors import LinnetError, UnknownName

__all__ = ["Refusal", "bug_refusal", "refusal_of"]

log = logging.getLogger(__name__)

BAD_REQUEST, UNPROCESSABLE = 400, 422
FOR_CLIENTS = {  # who have no options of commands, and perhaps no file
    "`--repair`": "correct the document, or mend it with `linnet convert IN OUT --repair`, then send it again",
    "`iconv ": "send the text as UTF-8",
}
PLACE = re.compile(r"^(?::(\d+))?(?: \([^)]*\))?: ?")


class Refusal(Exception):
    """An answer that says what is wrong with a request, and what to do."""

    def __init__(
        self,
        status: int,
        problem: str,
        remedy: str,
        *,
        where: str = "",
        headers: Mapping[str, str] | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(problem)
        self.status, self.problem, self.remedy, self.where = status, problem, remedy, where
        self.headers, self.limits = dict(headers or {}), dict(limits or {})

    def as_dict(self) -> dict[str, Any]:
        """Return the body of the answer."""
        error: dict[str, Any] = {"problem": self.problem, "remedy": self.remedy, "where": self.where}
        return {"error": error | ({"limits": self.limits} if self.limits else {})}


def refusal_of(error: LinnetError, *, place: str = "", where: str = "body", status: int | None = None) -> Refusal:
    """Return the refusal for an error of ours; a path of this machine in it is replaced by the place in the request.

    Args:
        error: what a reader, a writer or a model has refused.
        place: path of the file that holds the request's content.
        where: what that file is for the client.
        status: of the answer; by the kind of the error if not given.
    """
    if status is None:
        status = BAD_REQUEST if isinstance(error, UnknownName) else UNPROCESSABLE
    problem, remedy = error.problem, error.remedy
    if place and problem.startswith(place):
        found = PLACE.match(problem.removeprefix(place))
        where = f"{where}, line {found[1]}" if found and found[1] else where
        problem = problem.removeprefix(place)[found.end() if found else 0 :]
    if place:
        problem, remedy = problem.replace(place, "the body"), remedy.replace(place, "the body")
    return Refusal(status, problem.removeprefix(": "), _for_client(remedy), where=where)


def _for_client(remedy: str) -> str:
    """Return a remedy that a client can follow."""
    return next((other for part, other in FOR_CLIENTS.items() if part in remedy), remedy)


def bug_refusal(error: Exception, route: str) -> Refusal:
    """Return the answer that this is our fault; the log says which error and where, never the text."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
    log.error("%s: %s at %s", route, type(error).__name__, where)
    return Refusal(500, f"an error of the service ({type(error).__name__})", "report it, with what you have sent")
