"""The engine is the one that is wanted, or the one for what the folder holds."""

from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.models.engines import choose_engine, compute_batches, precision_of_engine, watching_batches
from linnet.models.model_folder import NETWORK


def folder(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


@pytest.mark.parametrize(
    ("names", "engine"),
    [((), "torch"), (("model.safetensors",), "torch"), ((NETWORK,), "onnx"), ((NETWORK, "model.safetensors"), "torch")],
)
def test_the_folder_says_which_engine_runs_it(tmp_path: Path, names: tuple[str, ...], engine: str) -> None:
    assert choose_engine(folder(tmp_path, *names), None, None) == engine


def test_a_folder_with_both_runs_on_either(tmp_path: Path) -> None:
    both = folder(tmp_path, NETWORK, "model.safetensors")

    assert [choose_engine(both, name, None) for name in ("torch", "onnx")] == ["torch", "onnx"]


@pytest.mark.parametrize(
    ("names", "engine", "device", "problem"),
    [
        ((), "tensorflow", None, "there is no engine called 'tensorflow'"),
        (("model.safetensors",), "onnx", None, "needs an exported model"),
        ((NETWORK,), "torch", None, "this is an exported model"),
        ((NETWORK,), None, "cuda", "runs on CPUs"),
    ],
)
def test_what_cannot_run_is_refused(
    tmp_path: Path, names: tuple[str, ...], engine: str | None, device: str | None, problem: str
) -> None:
    with pytest.raises(BadSetting, match=problem):
        choose_engine(folder(tmp_path, *names), engine, device)


@pytest.mark.parametrize("n_parallel", [1, 3])
def test_batches_come_back_in_order_however_many_are_computed_at_once(n_parallel: int) -> None:
    assert list(compute_batches(lambda number: number * number, range(7), n_parallel=n_parallel)) == [
        number * number for number in range(7)
    ]


def test_each_batch_is_reported_to_its_watcher() -> None:
    seen: list[tuple[int, int]] = []

    with watching_batches(lambda done, total: seen.append((done, total))):
        list(compute_batches(str, range(3), n_parallel=1))
    list(compute_batches(str, range(2), n_parallel=1))

    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("precision", "engine", "problem"),
    [("half", "torch", "there is no number format called 'half'"), ("bfloat16", "onnx", "this is an exported model")],
)
def test_a_number_format_that_cannot_be_had_is_refused(precision: str, engine: str, problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        precision_of_engine(precision, engine, Path("model"))


def test_an_exported_model_may_be_told_to_choose_or_to_stay_exact() -> None:
    found = [precision_of_engine(each, "onnx", Path("model")) for each in (None, "auto", "float32")]

    assert found == ["auto", "auto", "float32"]
