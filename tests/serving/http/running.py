"""A service that listens on a free port of this machine, for tests with a browser or many clients."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Thread
from typing import Any

import uvicorn

from linnet.serving.http.server import open_socket

__all__ = ["running"]


@contextmanager
def running(app: Any, *, port: int = 0, **options: Any) -> Iterator[str]:
    """Yield the address of an application that runs in a thread of this process, on a free port unless one is given."""
    with closing(open_socket("127.0.0.1", port)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, **options))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
