"""Replicas of the service on Ray Serve: each loads the models once and answers whole requests.

Ray Serve starts the replicas, watches them, and starts another one for each that dies. Its own HTTP proxy stays off:
the front of `linnet serve` has the limits and the checks of the service, and asks again where a replica is lost.
"""

import asyncio
import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from typing import Any

from linnet.errors import BadSetting
from linnet.extras import missing_package
from linnet.serving.cluster.exchange import Answer, Ask, Asked, ReplicaLost, ReplicasBusy, ask_application
from linnet.settings.serving import ServeSettings
from linnet.storage.processors import LOCAL, connect_to_ray

__all__ = ["Replica", "start_replicas"]

NAME = "linnet"
CPUS = 1  # reserved by each replica
AT_ONCE = 64  # requests that a replica has; those of one model are computed together
WAITING = 2000  # requests that wait for a replica


class Replica:
    """A whole service in a process of Ray: models, vocabularies and routes."""

    def __init__(self, settings: ServeSettings) -> None:
        from linnet.serving.http.application import build_application
        from linnet.serving.http.server import describe_access, open_service

        self._service = open_service(settings)
        self._app = build_application(self._service, describe_access(settings))

    async def __call__(self, asked: Asked) -> Answer:
        """Answer a request."""
        return await ask_application(self._app, asked)

    async def check_health(self) -> None:
        """Tell Ray Serve that this replica works."""
        if not self._service.is_ready:
            raise RuntimeError("the service has ended")


@contextmanager
def start_replicas(settings: ServeSettings) -> Iterator[Ask]:
    """Start replicas on the cluster of the settings, and yield how to have one of them answer; stop them at the end.

    Raises:
        LinnetError: if Ray Serve is not installed, no cluster answers, or it has too few processors.
    """
    assert settings.ray is not None
    if find_spec("ray") is None or find_spec("fastapi") is None:  # what Ray Serve imports
        raise missing_package("ray", "--ray needs Ray Serve")
    with redirect_stdout(sys.stderr):  # Ray reports there; our output is for the address
        ray = connect_to_ray(settings.ray)
    try:
        with redirect_stdout(sys.stderr):
            _check_processors(ray, settings)
            ask = _deploy(settings)
        yield ask
    finally:
        with redirect_stdout(sys.stderr):
            _stop(ray, is_local=settings.ray == LOCAL)


def _check_processors(ray: Any, settings: ServeSettings) -> None:
    there = int(ray.cluster_resources().get("CPU", 0))
    if settings.ray == LOCAL and settings.replicas * CPUS > there:
        raise BadSetting(
            f"--replicas {settings.replicas}: this machine has {there} processors", f"choose at most {there}"
        )


def _deploy(settings: ServeSettings) -> Ask:
    from ray import serve

    options: dict[str, Any] = {
        "num_replicas": settings.replicas,
        "max_ongoing_requests": AT_ONCE,
        "max_queued_requests": WAITING,
        "ray_actor_options": {"num_cpus": CPUS},
        "health_check_period_s": 2,
        "graceful_shutdown_timeout_s": settings.shutdown_seconds,
        "max_constructor_retry_count": 2,
    }
    known = inspect.signature(serve.deployment).parameters
    deployment = serve.deployment(name=NAME, **{name: value for name, value in options.items() if name in known})(
        Replica
    )
    serve.start(proxy_location="Disabled")
    try:
        handle = serve.run(deployment.bind(settings), name=NAME, route_prefix=None)
    except RuntimeError as error:
        raise BadSetting(
            f"the replicas do not start ({str(error).strip().splitlines()[0]})",
            "try the same without `--ray` first; models must be at the same place on every machine",
        ) from None
    return _asking(handle)


def _asking(handle: Any) -> Ask:
    from ray.exceptions import RayActorError
    from ray.serve import exceptions

    lost: tuple[type[Exception], ...] = (RayActorError, *_named(exceptions, "ReplicaUnavailableError"))
    busy = _named(exceptions, "BackPressureError", "DeploymentUnavailableError")

    async def ask(asked: Asked) -> Answer:
        response = handle.remote(asked)
        try:
            answer: Answer = await response
        except asyncio.CancelledError:
            response.cancel()
            raise
        except lost:
            raise ReplicaLost from None
        except busy:
            raise ReplicasBusy from None
        return answer

    return ask


def _named(module: Any, *names: str) -> tuple[type[Exception], ...]:
    """Return the exceptions of these names that this version of Ray has."""
    return tuple(getattr(module, name) for name in names if hasattr(module, name))


def _stop(ray: Any, *, is_local: bool) -> None:
    serve: Any = importlib.import_module("ray.serve")
    try:
        serve.delete(NAME)  # other applications of the cluster go on
        if is_local:
            serve.shutdown()
    finally:
        ray.shutdown()
