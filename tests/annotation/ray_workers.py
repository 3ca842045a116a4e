"""Workers of a job on Ray that are lost while they work; in a module that their processes can import."""

import os
import signal
from pathlib import Path

from linnet.annotation.pipeline import annotate_block
from linnet.annotation.ray_job import MOST_TRIES, _Annotator

__all__ = ["Dying", "Waiting", "fifo"]

UNLUCKY = 2  # the block that loses its worker
KILLED = ".killed"  # suffix of a file beside the folder of the job: the worker was lost once


class Waiting(_Annotator):
    """A worker that annotates one block, writes its process id and waits to be killed, once."""

    def _annotate(self, number: int) -> int:
        marker = self.work.folder.with_suffix(KILLED)
        if number == UNLUCKY and not marker.exists():
            block, _ = self.work.take_over(number)
            annotate_block(block, self.annotator, is_strict=False)
            marker.touch()
            fifo(self.work.folder).write_text(str(os.getpid()), encoding="utf-8")
            signal.pause()
        return super()._annotate(number)


class Dying(_Annotator):
    """A worker that is lost with one block whenever it is tried."""

    def _annotate(self, number: int) -> int:
        if number == UNLUCKY:
            _, n_tries = self.work.take_over(number)
            if n_tries <= MOST_TRIES:
                os.kill(os.getpid(), signal.SIGKILL)
        return super()._annotate(number)


def fifo(folder: Path) -> Path:
    """Return where the process id is written."""
    return folder.with_suffix(".pid")
