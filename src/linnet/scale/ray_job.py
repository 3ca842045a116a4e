"""How is the same job done by many machines?

The blocks of the input are written beside the output, a pool of actors on Ray Data annotates them, each with the model
loaded once, and keeps what is done as a job on one machine does. A block whose worker is lost is done again by
another; the result is the same, for a block is predicted in the same batches everywhere. All machines must see the
working folder and the paths of the job.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from linnet.cluster import connect
from linnet.predictor import load
from linnet.scale.blocks import Block
from linnet.scale.pipeline import annotate_block
from linnet.scale.work import DoneBlock, Work
from linnet.settings import AnnotateSettings

__all__ = ["annotate_on_ray"]

CPUS = 0.5  # that an actor reserves: Ray Data starves where actors take every processor


def annotate_on_ray(
    blocks: Iterable[Block], settings: AnnotateSettings, work: Work, done: Callable[[DoneBlock], None]
) -> None:
    """Annotate the blocks that are not finished yet on a cluster, and say when each is done."""
    numbers = []
    for block in blocks:
        if not work.is_done(block.number):
            work.hand_over(block)
            numbers.append(block.number)
    if not numbers:
        return
    ray = connect(settings.ray or "auto")
    try:
        import ray.data

        ray.data.DataContext.get_current().enable_progress_bars = False
        n_workers = settings.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        dataset = ray.data.from_items([{"number": number} for number in numbers], override_num_blocks=len(numbers))
        annotated = dataset.map(
            _Annotator,
            fn_constructor_args=(str(Path.cwd()), settings.model, settings.engine, str(work.folder)),
            concurrency=min(n_workers, len(numbers)),
            num_cpus=CPUS,
        )
        for row in annotated.iter_rows():
            done(work.read(int(row["number"])))
    finally:
        ray.shutdown()


class _Annotator:
    """An actor: the model, loaded once."""

    def __init__(self, place: str, model: str, engine: str | None, folder: str) -> None:
        os.chdir(place)
        self.predictor = load(model, engine=engine, threads=1)
        self.work = Work(Path(folder))

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Annotate one block and keep it."""
        number = int(row["number"])
        if not self.work.is_done(number):
            self.work.keep(annotate_block(self.work.take_over(number), self.predictor))
        return row
