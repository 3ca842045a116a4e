"""The ASGI application: routes, errors as JSON, and what holds for every request."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from linnet.errors import LinnetError
from linnet.serving.http.guarding import Access, Guard
from linnet.serving.http.media_types import describe_format, readable_names, writable_names
from linnet.serving.http.metrics import MEDIA_TYPE
from linnet.serving.http.openapi import describe_api
from linnet.serving.http.page import build_page
from linnet.serving.http.refusals import Refusal, bug_refusal, refusal_of
from linnet.serving.http.requests import Gone
from linnet.serving.http.review_api import describe_review_routes
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.http.service import Service

__all__ = ["build_application"]

Handler = Callable[[Request], Awaitable[Response]]
CLIENT_GONE = 499  # nobody reads this answer


def build_application(
    service: Service, access: Access, review: ReviewRoutes | None = None
) -> Any:  # an ASGI application
    """Return the application of a service, and of a review if there is one."""
    handlers = {
        "POST": _build_verbs(service) | _build_review_verbs(review),
        "GET": _build_pages(service, review) | _build_review_pages(review),
    }
    routes = [
        Route(path, _answering(handler, service), methods=[method])
        for method, by_path in handlers.items()
        for path, handler in by_path.items()
    ]
    middleware = []
    if access.origins:
        cors: Any = CORSMiddleware
        middleware.append(
            Middleware(
                cors,
                allow_origins=list(access.origins),
                allow_methods=["GET", "POST"],
                allow_headers=["Authorization", "Content-Type"],
                expose_headers=["linnet-notes", "retry-after"],
            )
        )

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(service.close)

    app = Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=live,
        exception_handlers={HTTPException: _answer_http_error},
    )
    app.router.redirect_slashes = False
    access = replace(access, can_be_widened=review is None)  # `linnet review` has no options for it
    return Guard(app, access=access, metrics=service.metrics, routes=[route.path for route in routes])


def _answering(handler: Handler, service: Service) -> Handler:
    """Return the handler with an answer for each error, so that no server logs one with what was sent in it."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Gone:
            service.metrics.cancelled += 1
            return Response(status_code=CLIENT_GONE)
        except Refusal as refusal:
            return _answer(refusal)
        except LinnetError as error:
            return _answer(refusal_of(error))
        except Exception as error:
            return _answer(bug_refusal(error, f"{request.method} {request.url.path}"))

    return answer


def _answer(refusal: Refusal) -> Response:
    return JSONResponse(refusal.as_dict(), refusal.status, refusal.headers)


def _build_verbs(service: Service) -> dict[str, Handler]:
    return {
        "/annotate": service.annotate,
        "/link": service.link,
        "/convert": service.convert,
        "/predict": service.predict,
        "/setup": service.set_up,
        "/doccano": service.label_for_doccano,
    }


def _build_review_verbs(review: ReviewRoutes | None) -> dict[str, Handler]:
    return {} if review is None else {"/review/output": review.write, "/review/{number:int}": review.decide}


def _build_review_pages(review: ReviewRoutes | None) -> dict[str, Handler]:
    if review is None:
        return {}
    return {
        "/review": review.describe,
        "/review/documents": review.list_documents,
        "/review/{number:int}": review.show,
    }


def _build_pages(service: Service, review: ReviewRoutes | None) -> dict[str, Handler]:
    """Return what is read, by its path; `/` is the page for people."""
    page = build_page(is_review=review is not None)

    async def show_page(_: Request) -> Response:
        return HTMLResponse(page.content, headers={"content-security-policy": page.policy})

    async def list_models(_: Request) -> Response:
        return JSONResponse(service.describe())

    async def list_formats(_: Request) -> Response:
        named = sorted({*readable_names(), *writable_names()})
        return JSONResponse({"formats": [describe_format(name) for name in named]})

    async def is_alive(_: Request) -> Response:
        return JSONResponse({"status": "UP", "model_class": "linnet"})

    async def is_ready(_: Request) -> Response:
        return JSONResponse({"ready": service.is_ready}, 200 if service.is_ready else 503)

    async def measure(_: Request) -> Response:
        return Response(service.measure(), media_type=MEDIA_TYPE)

    async def describe_routes(_: Request) -> Response:
        return JSONResponse(describe_api({} if review is None else describe_review_routes()))

    return {
        "/": show_page,
        "/models": list_models,
        "/formats": list_formats,
        "/health": is_alive,
        "/ready": is_ready,
        "/metrics": measure,
        "/openapi.json": describe_routes,
    }


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        found = Refusal(404, "there is nothing at this address", "see /openapi.json", where="path")
    elif error.status_code == 405:
        found = Refusal(405, f"{request.method} is not possible here", "see /openapi.json", where="method")
    else:
        found = Refusal(error.status_code, str(error.detail), "see /openapi.json")
    return JSONResponse(found.as_dict(), found.status, {**(error.headers or {}), **found.headers})
