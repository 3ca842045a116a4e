"""Number of usable processors, and connection to a Ray cluster."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any
from urllib.parse import urlsplit

from linnet.errors import BadSetting
from linnet.extras import missing_package
from linnet.storage.telemetry import switch_off_telemetry

__all__ = ["LOCAL", "connect_to_ray", "count_processors"]

SECONDS_TO_ANSWER = 5.0  # Ray itself tries for some minutes
LOCAL, AUTO = "local", "auto"


def count_processors() -> int:
    """Return how many processors this process may use; a container may have fewer than the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def connect_to_ray(address: str) -> Any:  # Any: ray has no types of its own
    """Return the `ray` module, connected to a cluster, or started on this machine if the address is `local`."""
    switch_off_telemetry()
    try:
        import ray
    except ImportError:
        raise missing_package("ray", "running on a cluster needs Ray") from None
    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}
    options |= {"include_dashboard": False} if address == LOCAL else {"address": address}
    try:
        _check_answer(address, ray.util.get_node_ip_address)
        with _keeping_termination():
            ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError, ImportError) as error:
        reason = str(error).strip().split("\n")[0]
        raise BadSetting(
            f"--ray {address}: no Ray cluster answers there ({reason})",
            "start one with `ray start --head`, give its address, or use `--ray local`",
        ) from None
    return ray


@contextmanager
def _keeping_termination() -> Iterator[None]:
    """Keep what SIGTERM does in this process; Ray would have it exit with code 15 and without a message."""
    if current_thread() is not main_thread():  # elsewhere nobody can set it, Ray neither
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check_answer(address: str, own_address: Callable[[], str]) -> None:
    """Raise an `OSError` if nothing listens at the address; Ray checks addresses other than HOST:PORT."""
    if address == LOCAL:
        return
    if address == AUTO:
        address = os.environ.get("RAY_ADDRESS", AUTO)
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname and place.port:
        is_here = place.hostname in ("localhost", "127.0.0.1")  # Ray replaces these by the machine's own address
        host = own_address() if is_here else place.hostname
        socket.create_connection((host, place.port), timeout=SECONDS_TO_ANSWER).close()
