"""The documents of a job are read once, with unique ids, and counted."""

from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.annotation.counted_inputs import count_inputs, read_inputs
from linnet.annotation.inputs import find_inputs
from linnet.contracts import Notes
from linnet.settings.annotation import AnnotateSettings


class Counter:
    def __init__(self) -> None:
        self.n_found = 0

    def find(self, number: int) -> None:
        self.n_found += number

    def keep(self, number: int) -> None: ...

    def finish(self, number: int) -> None: ...


def test_an_id_of_another_file_is_a_failure_and_every_input_counts(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"id": "1", "text": "fever"}\n', encoding="utf-8")
    settings = AnnotateSettings(source=str(tmp_path), model="m", output="o.jsonl")
    files, shares, counter = find_inputs(tmp_path, format=None, notes=Notes()), list[float](), Counter()

    found = list(count_inputs(read_inputs(files, Notes(), settings, shares.append), counter))  # type: ignore[arg-type]

    assert [isinstance(each, Failure) for each in found] == [False, True]
    assert counter.n_found == 2
    assert shares[-1] == 1.0
