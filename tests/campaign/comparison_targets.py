"""Files that comparisons read: kept runs, and the predictions of linkers."""

import gzip
import json
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from linnet.comparison.kept.runs import keep_runs, restore_runs
from linnet.comparison.verdict import compare_choices
from linnet.tasks.linking.evaluation.predictions_file import WIDTH, read_predictions
from linnet.tasks.linking.evaluation.protocols import TITLES
from tests.campaign.target import Target
from tests.comparison.fake_runs import finish, make_grid

__all__ = ["comparison_targets"]

MISSING = {"data": "no-corpus"}  # so that only the file says what the runs predicted
COUNTS = {name: [1.0] * WIDTH.get(name, 3) for name in TITLES}
MENTION = {
    "start": 0, "end": 4, "text": "Lung", "expanded": "Lung", "label": "D", "gold": ["mesh:D1"],
    "parts": [["mesh:D1", "mesh:D2"]], "links": ["mesh:D1"], "names": ["Lung"], "matched": ["lung"], "scores": [0.9],
    "is_known": True, "is_seen": False, "is_seen_concept": None,
}  # fmt: skip
FOUND = {"start": 0, "end": 4, "label": "D", "links": ["mesh:D1"]}
JUDGED = {"id": "1", "text": "Lung fever", "mentions": [MENTION], "found": [FOUND], "counts": COUNTS}


def comparison_targets() -> Iterable[Target]:
    """Yield the readers; what they return is not counted."""
    yield Target("kept runs", ".json", _kept_runs(), _restore)
    judged = "".join(json.dumps({**JUDGED, "id": id}) + "\n" for id in "12")
    yield Target("judged links", ".jsonl", (judged.encode(),), _read_judged)


@cache
def _kept_runs() -> tuple[bytes, ...]:
    """Return a file of kept runs, unpacked, so that damages reach its fields."""
    with tempfile.TemporaryDirectory() as folder:
        grid = make_grid(Path(folder), recipe=MISSING)
        for number, run in enumerate(grid.runs):
            finish(run, wrong=range(number), n_sentences=4)
            judged = json.dumps(JUDGED) + "\n"
            (run.folder / "linked-test-01234567.jsonl").write_text(judged, encoding="utf-8")
        keep_runs(grid, Path(folder) / "kept.json.gz")
        return (gzip.decompress((Path(folder) / "kept.json.gz").read_bytes()),)


def _restore(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    shutil.rmtree(elsewhere, ignore_errors=True)
    elsewhere.mkdir()
    grid = make_grid(elsewhere, recipe=MISSING)
    if restore_runs(grid, path).n_runs:
        compare_choices(grid, n_resamples=20)


def _read_judged(path: Path) -> None:
    read_predictions(path)
