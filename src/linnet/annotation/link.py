"""Links the mentions of documents in files to the concepts of vocabularies: a job like annotation, without a model."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.annotation.annotate import annotate, collect_settings
from linnet.annotation.pipeline import Progress
from linnet.annotation.results import Annotated
from linnet.annotation.steps import GIVEN

__all__ = ["link_path"]


def link_path(
    source: str | Path,
    *,
    vocabulary: str | Path | Sequence[str | Path] | Mapping[str, str | Path],
    min_score: float | None = None,
    watcher: Callable[[int], None] | None = None,
    input_watcher: Callable[[float], None] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Annotated:
    """Link the mentions of a file or folder and write the output; `linnet.link` in Python.

    The settings are those of the command: `linnet.link("found.jsonl", vocabulary="diseases", output="linked.jsonl")`.

    Args:
        source: file or folder, whose documents have mentions.
        vocabulary: a vocabulary or linking run, several, or by label: `{"Disease": "medic", "Chemical": "mesh"}`.
        min_score: lowest score of a link, which `annotate` calls `min_link_score`.
        watcher: is called with the number of documents of each finished block.
        input_watcher: is called with the share of the input's bytes that is read.
        progress: is told of each document that is read, kept from before, or linked.
        settings: `keep_links` (mentions that have a link keep it); `output` (path, or several), `target_format`,
            `shard`, `candidates`, `source_format`, `repair`, `strict`, `limit`, `resume`, `overwrite`, `ray`,
            `workers`, as `linnet.annotate` has them.
    """
    chosen = collect_settings(source, model=GIVEN, link=vocabulary, min_link_score=min_score, **settings)
    return annotate(chosen, watcher=watcher, input_watcher=input_watcher, progress=progress)
