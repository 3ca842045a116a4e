"""Routes of a review: its progress, one document at a time, decisions on it, and the output."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from linnet.documents.document import Document, Span
from linnet.errors import LinnetError
from linnet.formats.jsonl import document_to_json
from linnet.serving.http.bodies import parse_json
from linnet.serving.http.offsets import document_in_characters, document_in_utf16
from linnet.serving.http.refusals import Refusal
from linnet.serving.http.requests import parse_options, read_content
from linnet.serving.review.opening import OpenReview
from linnet.serving.review.session import StaleDecision
from linnet.settings.serving import ServeSettings

__all__ = ["ReviewRoutes"]

log = logging.getLogger(__name__)

SHAPE = 'send {"version": 0, "spans": [{"start": 0, "end": 6, "label": "Disease"}]}'


class ReviewRoutes:
    """What the page of a review asks for."""

    def __init__(self, opened: OpenReview, settings: ServeSettings) -> None:
        self._opened, self._review, self._settings = opened, opened.review, settings

    async def describe(self, request: Request) -> Response:
        """Answer with the progress of the review."""
        parse_options(request.query_params, ())
        return JSONResponse(await run_in_threadpool(self._describe))

    async def list_documents(self, request: Request) -> Response:
        """Answer with the ids of all documents, in the order of the review."""
        parse_options(request.query_params, ())
        return JSONResponse({"ids": self._review.ids})

    async def show(self, request: Request) -> Response:
        """Answer with a document as it stands, and its version."""
        options = parse_options(request.query_params, ("offsets",))
        number = self._find_number(request)
        document, version = await run_in_threadpool(self._opened.show, number)
        found = {"number": number, "version": version, "document": {"spans": [], **document_to_json(document)}}
        if self._opened.beside is not None:
            found["beside"] = _spans_as_json(document, self._opened.beside.get(document.id))
        return JSONResponse(document_in_utf16(found, document.text) if options.is_utf16 else found)

    async def decide(self, request: Request) -> Response:
        """Keep a decision on a document, and answer with its new version and the progress."""
        options = parse_options(request.query_params, ("offsets",))
        number = self._find_number(request)
        found = parse_json(await read_content(request, self._settings), SHAPE)
        if not isinstance(found, dict) or set(found) != {"version", "spans"}:
            raise Refusal(400, "expected a version and mentions", SHAPE, where="body")
        version, spans = found["version"], found["spans"]
        if type(version) is not int or not isinstance(spans, list):
            raise Refusal(400, "the version is no number, or the mentions are no list", SHAPE, where="body")
        if options.is_utf16:
            text = self._review.text_of(number)
            spans = document_in_characters({"text": text, "spans": spans}, "spans")["spans"]
        new = await run_in_threadpool(self._decide, number, spans, version)
        described = await run_in_threadpool(self._describe, number)
        if described["next"] is None and new == 1:  # the last document without a decision
            await run_in_threadpool(self._write_all)
        return JSONResponse({"version": new, **described})

    async def write(self, request: Request) -> Response:
        """Write the output, and answer with the number of its documents and with what it leaves out."""
        parse_options(request.query_params, ())
        written = await run_in_threadpool(self._opened.write_output)
        notes = await run_in_threadpool(self._opened.describe_output)
        return JSONResponse({"documents": written, "output": self._opened.output.name, "notes": notes})

    def _write_all(self) -> None:
        """Write the output; where that fails, the decisions are kept, and the end of the review tries again."""
        try:
            self._opened.write_output()
        except (LinnetError, OSError) as error:
            log.warning("note: the output could not be written yet: %s", error)

    def _decide(self, number: int, spans: list[Any], version: int) -> int:
        try:
            return self._review.decide(number, spans, version)
        except StaleDecision as stale:
            raise Refusal(409, stale.problem, stale.remedy, where="version") from None
        except OSError as error:
            raise Refusal(
                507, f"the decision could not be kept ({error.strerror})", "make room on the disk, then try again"
            ) from None

    def _describe(self, after: int = -1) -> dict[str, object]:
        progress = self._review.progress()
        return {
            "documents": progress.total,
            "decided": progress.decided,
            "next": self._review.next_undecided(after),
            "agreement": progress.agreement.as_dict(),
            "output": self._opened.output.name,
            "source": Path(self._opened.source).name,
            "beside": self._opened.beside_name,
            "labels": self._review.labels,
            "replaced": self._opened.replaced,
            "has_model": bool(self._opened.models),
            "training": list(self._opened.describe_training()),
        }

    def _find_number(self, request: Request) -> int:
        number: int = request.path_params["number"]
        if number >= len(self._review):
            raise Refusal(
                404,
                f"there is no document {number}",
                f"give a number from 0 to {len(self._review) - 1}",
                where="path",
            )
        return number


def _spans_as_json(document: Document, spans: tuple[Span, ...] | None) -> list[Any] | None:
    """Return the mentions of another annotation; None where it does not have the document."""
    if spans is None:
        return None
    found: list[Any] = document_to_json(replace(document, spans=spans, relations=())).get("spans", [])
    return found
