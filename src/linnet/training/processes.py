"""Distributed training: coordinates the processes that `torchrun` or `accelerate launch` started."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from accelerate import PartialState  # type: ignore[import-untyped]
from torch import distributed

from linnet.errors import LinnetError

__all__ = ["from_main_process", "is_main_process", "join_processes", "wait_for_all"]

T = TypeVar("T")


def join_processes() -> None:
    """Join the other processes, before any of them opens the run folder; a single process does nothing."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1 and not distributed.is_initialized():
        PartialState(cpu=not torch.cuda.is_available())


def is_main_process() -> bool:
    """Is this the process that writes and prints?"""
    return not distributed.is_initialized() or distributed.get_rank() == 0


def from_main_process(function: Callable[[], T]) -> T:
    """Return the result of the main process; the others wait for it, and raise its error."""
    if not distributed.is_initialized():
        return function()
    shared: list[Any] = [None, None]  # the result and the error; one of them stays None
    if is_main_process():
        try:
            shared[0] = function()
        except LinnetError as error:
            shared[1] = error
    distributed.broadcast_object_list(shared, src=0)
    if shared[1] is not None:
        raise shared[1]
    result: T = shared[0]
    return result


def wait_for_all() -> None:
    """Return when every process has called this."""
    if distributed.is_initialized():
        distributed.barrier()
