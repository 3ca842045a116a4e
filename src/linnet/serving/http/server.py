"""Starts and ends the web service: the address, the models, and what runs when it is told to stop."""

import errno
import ipaddress
import logging
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from linnet.errors import BadSetting, LinnetError
from linnet.extras import require
from linnet.settings.review import ReviewSettings
from linnet.settings.serving import ServeSettings

if TYPE_CHECKING:
    from linnet.serving.http.guarding import Access
    from linnet.serving.http.service import Service
    from linnet.serving.review.opening import OpenReview

__all__ = ["access_problem", "describe_access", "open_service", "open_socket", "serve", "serve_review"]

THIS_MACHINE = "127.0.0.1"

EVERY_ADDRESS = ("0.0.0.0", "::", "")
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#*@A-Z]+")  # as browsers write it: in lower case, without a path
HOST = re.compile(r"[^\s/?#*@:]+")
KEEP_ALIVE_SECONDS = 15
BACKLOG = 256


def serve(settings: ServeSettings, announce: Callable[[str], None]) -> None:
    """Run the service until it is told to stop (SIGINT, SIGTERM); then finish what is running.

    Args:
        settings: of the service.
        announce: gets sentences for people: where it listens, and warnings.

    Raises:
        LinnetError: for an address that is taken, a model that cannot be opened, or a token that is missing.
    """
    require("starlette", "uvicorn", problem="`linnet serve` needs")
    if problem := access_problem(settings):
        raise problem
    with closing(open_socket(settings.host, settings.port)) as listener:
        if settings.ray is None:
            _serve_models(settings, listener, announce)
        else:
            _serve_replicas(settings, listener, announce)


def serve_review(settings: ReviewSettings, announce: Callable[[str], None]) -> None:
    """Serve a review to the browsers of this machine until it is told to stop; then write the output.

    Raises:
        LinnetError: for an address that is taken, and for documents, a model or an output that cannot be used.
    """
    require("starlette", "uvicorn", problem="`linnet review` needs")
    from linnet.serving.review.opening import count_documents, open_review

    with closing(open_socket(THIS_MACHINE, settings.port)) as listener, open_review(settings) as opened:
        _serve_review(opened, listener, announce)
        if written := opened.write_output():
            announce(f"{opened.output}: {count_documents(written)}; train on it with:")
            for command in opened.describe_training():
                announce(f"  {command}")
        else:
            announce("no document was decided on, so nothing was written")


def open_service(settings: ServeSettings) -> "Service":
    """Return the service of the settings, with its models and vocabularies loaded.

    Raises:
        LinnetError: if one cannot be opened.
    """
    from linnet.serving.http.batching import Limits
    from linnet.serving.http.linking import open_shared_linker
    from linnet.serving.http.served_models import open_models
    from linnet.serving.http.service import Service

    limits = Limits(waiting=settings.max_waiting, wait_seconds=settings.wait_ms / 1000)
    models = open_models(
        settings.models, limits, engine=settings.engine, threads=settings.threads, min_score=settings.min_score
    )
    return Service(settings, models, open_shared_linker(settings.link, settings.min_link_score))


def _serve_models(settings: ServeSettings, listener: socket.socket, announce: Callable[[str], None]) -> None:
    from linnet.serving.http.application import build_application

    service = open_service(settings)
    _warn(settings, listener, announce)
    named = ", ".join(f"{model.name} ({model.task})" for model in service.models.values())
    _run(build_application(service, describe_access(settings)), settings, listener, announce, f"serves {named}")


def _serve_replicas(settings: ServeSettings, listener: socket.socket, announce: Callable[[str], None]) -> None:
    from linnet.serving.cluster.front import build_front
    from linnet.serving.cluster.ray_replicas import start_replicas
    from linnet.serving.http.served_models import check_models

    placed = check_models(settings)
    with start_replicas(placed) as ask:
        _warn(settings, listener, announce)
        n = settings.replicas
        what = f"serves with {n} {'replica' if n == 1 else 'replicas'} on Ray"
        _run(build_front(ask, settings, describe_access(settings)), settings, listener, announce, what)


def _warn(settings: ServeSettings, listener: socket.socket, announce: Callable[[str], None]) -> None:
    from linnet.serving.http.guarding import is_loopback

    if not is_loopback(settings.host):
        announce(f"warning: {_address_of(listener)} can be reached by other machines, without encryption")


def _serve_review(opened: "OpenReview", listener: socket.socket, announce: Callable[[str], None]) -> None:
    from linnet.serving.http.application import build_application
    from linnet.serving.http.guarding import Access
    from linnet.serving.http.reviewing import ReviewRoutes
    from linnet.serving.http.service import Service
    from linnet.serving.review.opening import count_documents

    settings = ServeSettings()
    service = Service(settings, opened.models, opened.linker)
    app = build_application(service, Access(), ReviewRoutes(opened, settings))
    _run(app, settings, listener, announce, f"has the review of {count_documents(len(opened.review))}")


def _run(
    app: object, settings: ServeSettings, listener: socket.socket, announce: Callable[[str], None], what: str
) -> None:
    import uvicorn

    from linnet.serving.http.connections.ending import answering_at_the_end, tells_of_an_error
    from linnet.serving.http.connections.slow_clients import build_protocol
    from linnet.serving.http.guarding import MOST_HEADER_BYTES

    logger = logging.getLogger("uvicorn.error")
    logger.setLevel(logging.WARNING)
    logger.addFilter(tells_of_an_error)
    config = uvicorn.Config(
        answering_at_the_end(app),
        http=build_protocol(settings.body_seconds, settings.max_connections),
        ws="none",
        log_level="warning",
        access_log=False,  # paths and addresses of clients are nobody's business
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="on",
        backlog=BACKLOG,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=round(settings.shutdown_seconds),
    )
    listener.listen(BACKLOG)  # who reads the next line may connect at once
    announce(f"{_address_of(listener)} {what}; stop with Ctrl+C")
    with _ending_quietly():
        uvicorn.Server(config).run(sockets=[listener])


def _address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Let the signals that end the service end it without an error; uvicorn repeats them when all is finished."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def describe_access(settings: ServeSettings) -> "Access":
    """Return who may use the service, by its settings."""
    from linnet.serving.http.guarding import EVERY_HOST, LOOPBACK, Access

    hosts = [*LOOPBACK, *(host.lower() for host in settings.allowed_hosts)]
    if settings.host in EVERY_ADDRESS:
        hosts += [] if settings.allowed_hosts else [EVERY_HOST]  # who knows the token may name any of our addresses
    else:
        hosts.append(settings.host.lower())
    return Access(token=settings.token, hosts=frozenset(hosts), origins=frozenset(settings.cors))


def access_problem(settings: ServeSettings) -> LinnetError | None:
    """Return why the service may not start this way, if so."""
    from linnet.serving.http.guarding import is_loopback

    if settings.token is not None and not (settings.token.isascii() and settings.token.isprintable()):
        return BadSetting("the token has other than printable ASCII characters", "choose letters and digits")
    if settings.token is None and not is_loopback(settings.host):
        return BadSetting(
            f"{settings.host} can be reached by other machines, and there is no token",
            "add `--token-file FILE` with a secret of at least 8 characters, or leave `--host` out",
        )
    for origin in settings.cors:
        if not ORIGIN.fullmatch(origin):
            return BadSetting(
                f"--cors {origin}: this is no origin of web pages",
                "give scheme and host, and the port if it is not the usual one: https://a.org, http://a.org:8080",
            )
    for host in settings.allowed_hosts:
        if not (HOST.fullmatch(host) or _is_ipv6(host)):
            return BadSetting(f"--allow-host {host}: this is no name of a host", "give the name alone: a.org")
    return None


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens nowhere else than at this address.

    Raises:
        LinnetError: if the port is taken, or the address is not one of this machine.
    """
    family = socket.AF_INET6 if _is_ipv6(host) else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BadSetting(
                f"port {port} is in use", "choose another one with `--port`, or `--port 0` for any that is free"
            ) from None
        if error.errno == errno.EACCES:
            raise BadSetting(f"port {port} may not be used", "choose one above 1023 with `--port`") from None
        raise BadSetting(
            f"{host}: is no address of this machine ({error.strerror or error})", "choose another with `--host`"
        ) from None
    return listener


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False
