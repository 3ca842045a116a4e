"""Guards the web service: token, host and origin are checked, and every answer has security headers."""

import hmac
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from linnet.serving.http.metrics import Metrics
from linnet.serving.http.refusals import Refusal

__all__ = ["LOOPBACK", "MOST_HEADER_BYTES", "SECURITY_HEADERS", "Access", "Guard", "is_loopback"]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_HOST = "*"
MOST_HEADER_BYTES = 16_384
ONLY_HERE = (
    "open http://localhost or http://127.0.0.1 with the port, on the machine of the review; it listens there alone"
)
OPEN = ("/", "/health", "/ready")  # the page and what programs watch the service by; they tell nothing about it
SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class Access:
    """Who may use the service."""

    token: str | None = None
    hosts: Collection[str] = LOOPBACK  # that a request may name; `*` is all
    origins: Collection[str] = ()  # of web pages
    can_be_widened: bool = True  # by options of the command that starts the service

    def remedy(self, option: str) -> str:
        """Return what to do about a request that the access does not allow, and a service with this option would."""
        return f"name it with `{option}` when the service is started" if self.can_be_widened else ONLY_HERE


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: Any, *, access: Access, metrics: Metrics, routes: Collection[str]) -> None:
        self._app, self._access, self._metrics, self._routes = app, access, metrics, frozenset(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it on, and complete the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 499  # nobody waited for the answer

        async def complete(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=message["headers"])
                message["headers"] = headers.raw
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            given = Headers(scope=scope)
            refusal = self._check(given, scope)
            if refusal is None:
                await self._app(scope, receive, complete)
            else:
                headers = {**refusal.headers, **self._allow_origin(given.get("origin"))}
                answer = JSONResponse(refusal.as_dict(), refusal.status, headers)
                await answer(scope, receive, complete)
        finally:
            route = scope["path"] if scope["path"] in self._routes else "other"
            self._metrics.count_request(route, status, time.monotonic() - started)

    def _allow_origin(self, origin: str | None) -> dict[str, str]:
        """Return the headers without which a browser hides a refusal from a page that may use the service."""
        is_known = origin is not None and origin in self._access.origins
        return {"access-control-allow-origin": str(origin), "vary": "Origin"} if is_known else {}

    def _check(self, headers: Headers, scope: Scope) -> Refusal | None:
        size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
        if size + sum(len(name) + len(value) for name, value in headers.raw) > MOST_HEADER_BYTES:
            return Refusal(
                431,
                f"address and headers have more than {MOST_HEADER_BYTES:,} bytes",
                "send long values in the body",
                where="headers",
            )
        host = _host_name(headers.get("host", ""))
        if EVERY_HOST not in self._access.hosts and host not in self._access.hosts:
            return Refusal(
                403,
                f"the host {host[:100]!r} is not a name of this service",
                self._access.remedy("--allow-host"),
                where="header Host",
            )
        origin = headers.get("origin")
        if origin is not None and origin not in self._access.origins and not _is_own(origin, headers.get("host", "")):
            return Refusal(
                403,
                "web pages of this origin may not use the service",
                self._access.remedy("--cors"),
                where="header Origin",
            )
        is_open = scope["path"] in OPEN or scope["method"] == "OPTIONS"
        if self._access.token is None or is_open or _is_right(headers.get("authorization", ""), self._access.token):
            return None
        return Refusal(
            401,
            "the token is missing or wrong",
            "send `Authorization: Bearer TOKEN` with the token that the service was started with",
            where="header Authorization",
            headers={"www-authenticate": "Bearer"},
        )


def is_loopback(host: str) -> bool:
    """Is this address reached from this machine alone?"""
    return host in LOOPBACK or host.startswith("127.")


def _host_name(host: str) -> str:
    """Return the name without the port; IPv6 addresses stand in brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_own(origin: str, host: str) -> bool:
    return origin.partition("://")[2] == host


def _is_right(given: str, token: str) -> bool:
    """Is this the token, as a bearer or as the password of a user? The time does not depend on the characters."""
    scheme, _, value = given.partition(" ")
    if scheme.lower() == "basic":
        try:
            value = b64decode(value, validate=True).decode("utf-8").partition(":")[2]
        except ValueError:
            value = ""
    elif scheme.lower() not in ("bearer", "token"):
        value = ""
    return hmac.compare_digest(value.encode("utf-8", "surrogatepass"), token.encode("utf-8", "surrogatepass"))
