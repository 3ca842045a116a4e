"""How is the same job done by many machines?

The blocks of the input are written beside the output, a pool of actors on Ray Data annotates them, each with the model
loaded once, and keeps what is done as a job on one machine does. A block whose worker is lost is done again by
another; the result is the same, for a block is predicted in the same batches everywhere. All machines must see the
working folder and the paths of the job.
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from linnet.cluster import connect
from linnet.documents.document import Document
from linnet.files import new_file
from linnet.formats.jsonl import document_from_json, document_to_json
from linnet.predictor import load
from linnet.scale.blocks import Block, Failure
from linnet.scale.pipeline import annotate_block
from linnet.scale.work import DoneBlock, Work
from linnet.settings import AnnotateSettings

__all__ = ["annotate_on_ray"]

CPUS = 0.5  # that an actor reserves: Ray Data starves where actors take every processor


def annotate_on_ray(
    blocks: Iterable[Block], settings: AnnotateSettings, work: Work, done: Callable[[DoneBlock], None]
) -> None:
    """Annotate the blocks that are not finished yet on a cluster, and say when each is done."""
    numbers = [block.number for block in blocks if not work.is_done(block.number) and _hand_over(block, work)]
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
            self.work.keep(annotate_block(_taken_over(number, self.work), self.predictor))
        return row


def _hand_over(block: Block, work: Work) -> bool:
    """Write a block of the input where the actors find it."""
    path = _input_path(block.number, work)
    if not path.is_file():
        with new_file(path) as file:
            failures = [{"document": each.document, "reason": each.reason} for each in block.failures]
            file.write(json.dumps(failures, ensure_ascii=False) + "\n")
            file.writelines(json.dumps(document_to_json(each), ensure_ascii=False) + "\n" for each in block.documents)
    return True


def _taken_over(number: int, work: Work) -> Block:
    path = _input_path(number, work)
    with path.open(encoding="utf-8", newline="\n") as file:
        failures = [Failure(**each) for each in json.loads(next(file))]
        documents: list[Document] = [
            document_from_json(json.loads(line), f"{path}:{place}") for place, line in enumerate(file, 2)
        ]
    return Block(number, documents, failures)


def _input_path(number: int, work: Work) -> Path:
    return work.folder / f"input-{number:07d}.jsonl"
