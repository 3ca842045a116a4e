"""Hostile model folders: damages the files of small models, and checks that no damage passes unnoticed.

`cases(seed)` yields names and functions; a function writes a damaged copy of a model into a new folder. `check(folder)`
opens that copy and lets it annotate or predict. Two outcomes are right: the copy is refused with an error of ours, or
it gives the same answers as the whole model. All else is a defect: any other exception, no end, other answers. An
encoder, as a training opens it, may well be another encoder; it is refused, or what it gives is finite.
"""

import json
import math
import random
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.models.loading import load
from linnet.models.model_folder import file_fingerprint
from tests import text_corpora, tiny

__all__ = ["DEFECT", "NETWORK_CHANGES", "REFUSED", "SAME", "Outcome", "cases", "change_network", "check", "whole_model"]

SAME, REFUSED, DEFECT = "same answers", "refused", "DEFECT"
MODELS = ("tagger", "crf", "classification", "several", "similarity", "crf-onnx", "classification-onnx", "encoder")
SECONDS = 20.0  # for a folder; a whole model takes a tenth of one
CLOSE = 1e-4  # between two scores that count as the same
CASE = "case.json"  # in a damaged folder: which model and which damage it is
FILES = ("linnet.json", "config.json", "tokenizer.json")
# other values that a model may well have
VALID = (
    "text.thresholds=object",
    "text.range.0=half",
    *(f"text.thresholds.{each}=half" for each in ("chemical", "disease")),
)
TEXTS = (
    "Ataxia was treated with folic acid . No cause of colorectal cancer is known",
    "we gave Cisplatin , ünknown ☃ words .",
    "anaemia was treated with aspirin . " * 30,  # several windows
    " ",
)

Damage = Callable[[Path], None]
Case = tuple[str, Damage]
Values = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of a damaged folder."""

    kind: str  # `SAME`, `REFUSED` or `DEFECT`
    detail: str = ""  # the error, or what differs


@cache
def whole_model(name: str) -> Path:
    """Return the folder of an undamaged model; it is trained, or exported, at the first call, in some seconds."""
    source, _, form = name.partition("-")
    if form:
        from linnet.export.exporting import export_model

        return export_model(whole_model(source), tiny.workshop() / f"hostile-{name}").folder
    if name == "encoder":
        return tiny.encoder()
    if name == "tagger":
        return tiny.trained()
    return _with_field(tiny.workshop() / "hostile-crf") if name == "crf" else text_corpora.trained(name)


def cases(seed: int, models: Sequence[str] = MODELS) -> Iterator[Case]:
    """Yield the name of each case, and a function that writes its damaged folder, in random order.

    Args:
        seed: of the order, and of places in files.
        models: names of whole models; each has more than a thousand cases.
    """
    draw = random.Random(seed)
    found = [case for name in models for case in _cases_of(name, draw)]
    draw.shuffle(found)
    yield from found


def check(folder: Path, *, seconds: float = SECONDS) -> Outcome:
    """Return what becomes of a damaged folder: it must be refused, or answer like the model it is a copy of."""
    model = json.loads((folder / CASE).read_text(encoding="utf-8"))["model"]
    try:
        with _time_limit(seconds), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _open_encoder(folder) if model == "encoder" else _answers(folder)
    except LinnetError as error:
        return Outcome(REFUSED, str(error))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the tokenizers is no Exception
        return Outcome(DEFECT, f"{type(error).__name__}: {error}")
    return Outcome(SAME) if _is_same(found, _expected(model)) else Outcome(DEFECT, "other answers")


@cache
def _expected(model: str) -> Any:
    return True if model == "encoder" else _answers(whole_model(model))


def _open_encoder(folder: Path) -> bool:
    """Return whether an encoder gives finite numbers for a text."""
    import torch
    from transformers import AutoModel

    from linnet.models.encoders import find_encoder, open_network

    encoder = find_encoder(str(folder))
    numbers = encoder.tokenizer.backend_tokenizer.encode(TEXTS[1]).ids
    network = open_network(encoder, AutoModel).train(False)
    with torch.inference_mode():
        return bool(network(torch.tensor([numbers])).last_hidden_state.isfinite().all())


def _answers(folder: Path) -> Any:
    """Return what a model says of the texts: mentions, or predictions."""
    model: Any = load(folder, device=None if (folder / "model.onnx").is_file() else "cpu")
    if model.annotates:
        documents = model.annotate([Document(str(number), text) for number, text in enumerate(TEXTS)])
        return [[(each.start, each.end, each.label, each.score) for each in found.spans] for found in documents]
    texts = [(TEXTS[0], text) for text in TEXTS[:3]] if model.task.needs_pairs else list(TEXTS[:3])
    return [(each.predicted, each.score) for each in model.predict(texts)]


def _is_same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        return isinstance(found, float) and math.isclose(found, expected, abs_tol=CLOSE)
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(_is_same, found, expected))
    return bool(found == expected)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the main thread after so many seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"no end after {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _with_field(folder: Path) -> Path:
    """Return the tagger with a CRF that changes its scores a little."""
    shutil.copytree(tiny.trained(), folder)
    _change_json(folder / "linnet.json", lambda values: values.update(decoding="crf"))
    draw = np.random.default_rng(1)
    shapes = {"start": (5,), "transitions": (5, 5), "end": (5,)}
    save_file(
        {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()},
        folder / "crf.safetensors",
    )
    return folder


def _cases_of(model: str, draw: random.Random) -> Iterator[Case]:
    source = whole_model(model)
    files = [name for name in FILES if (source / name).is_file()]
    damages = [
        *((f"{name}/{what}", damage) for name in files for what, damage in _field_damages(source / name)),
        *((f"{path.name}/{what}", damage) for path in _files(source) for what, damage in _file_damages(path, draw)),
        *((f"{path.name}/{what}", each) for path in _weights(source) for what, each in _tensor_damages(path)),
        *((f"model.onnx/{what}", damage) for what, damage in _network_damages(source)),
    ]  # fmt: skip
    for what, damage in damages:
        name = f"{model}/{what}"
        yield name, partial(_write, model=model, name=name, damage=damage)


def _write(folder: Path, *, model: str, name: str, damage: Damage) -> None:
    """Write a damaged copy of a model into a new folder."""
    folder.mkdir(parents=True)
    for path in _files(whole_model(model)):
        shutil.copy(path, folder / path.name)
    (folder / CASE).write_text(json.dumps({"model": model, "name": name}), encoding="utf-8")
    damage(folder)


def _files(folder: Path) -> list[Path]:
    """Return the files that a model is opened from."""
    return sorted(path for path in folder.iterdir() if path.name in FILES or path.suffix in (".safetensors", ".onnx"))


def _weights(folder: Path) -> list[Path]:
    return [path for path in _files(folder) if path.suffix == ".safetensors"]


# the fields of JSON files


def _field_damages(path: Path) -> Iterator[Case]:
    """Yield every field with every wrong value, and without its value."""
    values = json.loads(path.read_text(encoding="utf-8"))
    for place in _places(values):
        name = ".".join(map(str, place))
        old = _value_at(values, place)
        for kind, new in _wrong_values(old):
            if (type(new), new) != (type(old), old) and f"{name}={kind}" not in VALID:
                yield f"{name}={kind}", partial(_put, name=path.name, place=place, new=new)
        yield f"{name}=missing", partial(_remove, name=path.name, place=place)


def _places(values: Any, depth: int = 5) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value; of long lists and vocabularies only the first and last entries."""
    keys: list[Any] = list(values) if isinstance(values, dict) else list(range(len(values)))
    for key in keys if len(keys) < 40 else [*keys[:2], keys[-1]]:
        yield (key,)
        if isinstance(values[key], dict | list) and depth:
            yield from ((key, *rest) for rest in _places(values[key], depth - 1))


def _wrong_values(old: Any) -> Iterator[tuple[str, Any]]:
    yield from {
        "null": None,
        "string": "x",
        "empty": "",
        "list": [],
        "object": {},
        "true": True,
        "nested": [[{}]],
    }.items()
    yield from {"minus-one": -1, "huge": 10**9, "enormous": 10**30, "NaN": math.nan, "infinite": math.inf}.items()
    yield from {"half": 0.5, "text-of-value": str(old), "list-of-value": [old], "object-of-value": {"x": old}}.items()
    yield "negative", -old - 1 if isinstance(old, int | float) else -5
    if isinstance(old, list) and old:
        yield from {"longer": [*old, old[-1]], "shorter": old[:-1]}.items()


def _value_at(values: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        values = values[key]
    return values


def _put(folder: Path, *, name: str, place: tuple[Any, ...], new: Any) -> None:
    _change_json(folder / name, lambda values: _value_at(values, place[:-1]).__setitem__(place[-1], deepcopy(new)))


def _remove(folder: Path, *, name: str, place: tuple[Any, ...]) -> None:
    _change_json(folder / name, lambda values: _value_at(values, place[:-1]).__delitem__(place[-1]))


def _change_json(path: Path, change: Callable[[Values], object]) -> None:
    values = json.loads(path.read_text(encoding="utf-8"))
    change(values)
    path.write_text(json.dumps(values), encoding="utf-8")


# whole files


def _file_damages(path: Path, draw: random.Random) -> Iterator[Case]:
    content, name = path.read_bytes(), path.name
    at = draw.randrange(len(content))
    contents = {
        "empty": b"",
        "cut": content[:at],
        "one-byte-less": content[:-1],
        "one-byte-more": content + b"}",
        "not-utf-8": content[:at] + b"\xff\xfe" + content[at:],
        "utf-16": content.decode("latin-1").encode("utf-16"),
        "deep": b"[" * 100_000,
        "deep-object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "null": b"null",
        "list": b"[]",
        "object": b"{}",
        "long-number": b'{"max_length": ' + b"9" * 5000 + b"}",
        "zeros": bytes(len(content)),
        "zero-head": bytes(8) + content[8:],
        "huge-head": b"\xff" * 8 + content[8:],
    }
    for what, new in contents.items():
        yield what, partial(_write_bytes, name=name, content=new)
    if path.suffix == ".json":
        for key, value in json.loads(content).items():
            for other in (None, value):  # the last one counts in Python; a reader of another kind may take the first
                twice = json.dumps({key: other})[:-1].encode() + b"," + content.lstrip()[1:]
                yield f"{key}-twice", partial(_write_bytes, name=name, content=twice)
    yield "missing", lambda folder: (folder / name).unlink()
    yield "folder", partial(_make_folder, name=name)
    strangers = [whole_model(each) / name for each in ("tagger", "classification")]
    for other in [*_files(path.parent), *(each for each in strangers if each.is_file())]:
        # the weights of another model that was trained alike have nothing wrong about them
        is_alike = name == other.name == "model.safetensors" and _shapes(path) == _shapes(other)
        if other.read_bytes() != content and not is_alike:
            yield f"from-{other.parent.name}-{other.name}", partial(_write_bytes, name=name, content=other.read_bytes())


def _shapes(path: Path) -> dict[str, Any]:
    return {name: tensor.shape for name, tensor in load_file(path).items()}


def _write_bytes(folder: Path, *, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    if name == "model.onnx":
        sign_network(folder)


def _make_folder(folder: Path, *, name: str) -> None:
    (folder / name).unlink()
    (folder / name).mkdir()


# weights


def _tensor_damages(path: Path) -> Iterator[Case]:
    tensors = load_file(path)
    for name in tensors:
        for what, change in TENSOR_CHANGES.items():
            yield f"{name}-{what}", partial(_change_tensors, file=path.name, name=name, change=change)
    yield "extra", partial(_change_tensors, file=path.name, name=None, change=lambda each: each)
    for dtype in ("int64", "int8", "bool"):
        yield f"all-{dtype}", partial(_change_tensors, file=path.name, name="*", change=partial(_cast, dtype=dtype))


def _spoiled(tensor: Any, value: float) -> Any:
    found = tensor.copy()
    found.flat[found.size // 2] = value
    return found


def _cast(tensor: Any, dtype: str) -> Any:
    return tensor.astype(dtype)


TENSOR_CHANGES: dict[str, Callable[[Any], Any]] = {
    "missing": lambda each: None,
    "nan": partial(_spoiled, value=math.nan),
    "infinite": partial(_spoiled, value=-math.inf),
    "all-nan": lambda each: np.full_like(each, math.nan),
    "row-more": lambda each: np.concatenate([each, each[-1:]]),
    "row-less": lambda each: each[:-1],
    "flat": lambda each: each.reshape(-1) if each.ndim > 1 else each[None],
    "int64": partial(_cast, dtype="int64"),
}


def _change_tensors(folder: Path, *, file: str, name: str | None, change: Callable[[Any], Any]) -> None:
    tensors = load_file(folder / file)
    if name is None:
        tensors["bert.encoder.layer.99.extra.weight"] = np.zeros((3, 3), np.float32)
    for each in list(tensors):
        if name in (each, "*"):
            changed = change(tensors.pop(each))
            if changed is not None:
                tensors[each] = np.ascontiguousarray(changed)
    save_file(tensors, folder / file)


# exported networks


def _network_damages(source: Path) -> Iterator[Case]:
    if (source / "model.onnx").is_file():
        for what, change in NETWORK_CHANGES.items():
            yield what, partial(change_network, change=change)
        yield "unsigned", _replace_network


def _replace_network(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"x")


def _spoil_network(network: Any, value: float) -> None:
    from onnx import numpy_helper

    weights = [each for each in network.graph.initializer if len(each.dims) == 2]
    spoiled = _spoiled(numpy_helper.to_array(weights[-1]), value)
    weights[-1].CopyFrom(numpy_helper.from_array(spoiled, weights[-1].name))


def _rename_output(network: Any) -> None:
    old, new = network.graph.output[0].name, "scores"
    for node in network.graph.node:
        node.output[:] = [new if each == old else each for each in node.output]
    network.graph.output[0].name = new


def _rename_input(network: Any) -> None:
    old, new = network.graph.input[0].name, "words"
    for node in network.graph.node:
        node.input[:] = [new if each == old else each for each in node.input]
    network.graph.input[0].name = new


NETWORK_CHANGES: dict[str, Callable[[Any], None]] = {
    "nan": partial(_spoil_network, value=math.nan),
    "infinite": partial(_spoil_network, value=math.inf),
    "output-renamed": _rename_output,
    "input-renamed": _rename_input,
    "no-output": lambda network: network.graph.ClearField("output"),
    "no-weight": lambda network: network.graph.initializer.__delitem__(0),
    "no-node": lambda network: network.graph.node.__delitem__(len(network.graph.node) // 2),
}


def change_network(folder: Path, *, change: Callable[[Any], None]) -> None:
    onnx = pytest.importorskip("onnx")
    network = onnx.load(folder / "model.onnx")
    change(network)
    (folder / "model.onnx").write_bytes(network.SerializeToString())
    sign_network(folder)


def sign_network(folder: Path) -> None:
    """Let `linnet.json` name the changed network, so that it is opened."""
    fingerprint = file_fingerprint(folder / "model.onnx")
    _change_json(folder / "linnet.json", lambda values: values["onnx"].update(file_fingerprint=fingerprint))
