"""Look-alikes of published encoders and taggers: tiny random weights in the layouts in which the real ones come."""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from tests import tiny

__all__ = ["CASED", "Hub", "as_torch_file", "drop", "encoder_copy", "look_alike", "set_config", "tagger", "write_vocab"]

CASED = ("Ataxia", "ataxia", "BRCA1", "##s", "was", "A", "a")


def encoder_copy(folder: Path, family: str = "bert") -> Path:
    """Copy a tiny encoder of the family to a folder of its own."""
    shutil.copytree(tiny.encoder(family), folder)
    return folder


def as_torch_file(
    folder: Path,
    *,
    change: Callable[[dict[str, Tensor]], Mapping[str, Any]] = dict,
    shards: int = 1,
    is_zipped: bool = True,
) -> Path:
    """Replace the safetensors of a folder by `pytorch_model.bin`, in several files if wanted, and return the folder.

    Args:
        folder: of the model.
        change: what to do with names and weights before.
        shards: how many files.
        is_zipped: False for the format of PyTorch before 1.6, in which BioBERT and its contemporaries came.
    """
    weights = dict(change(load_file(folder / "model.safetensors")))
    (folder / "model.safetensors").unlink()
    if shards == 1:
        torch.save(weights, folder / "pytorch_model.bin", _use_new_zipfile_serialization=is_zipped)
        return folder
    names = [f"pytorch_model-{number:05}-of-{shards:05}.bin" for number in range(1, shards + 1)]
    place = {name: names[number % shards] for number, name in enumerate(weights)}
    for file in names:
        torch.save({name: each for name, each in weights.items() if place[name] == file}, folder / file)
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": place}), encoding="utf-8")
    return folder


def set_config(folder: Path, **values: Any) -> None:
    """Change settings in `config.json`; None removes one."""
    path = folder / "config.json"
    found = json.loads(path.read_text(encoding="utf-8")) | values
    path.write_text(json.dumps({key: each for key, each in found.items() if each is not None}), encoding="utf-8")


def drop(folder: Path, *names: str) -> None:
    """Remove files that this publisher did not give."""
    for name in names:
        (folder / name).unlink(missing_ok=True)


def write_vocab(folder: Path, *words: str) -> None:
    """Let the tokenizer be what `vocab.txt` says, as in the first BERT models; the embeddings grow or shrink to fit."""
    drop(folder, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")
    weights = load_file(folder / "model.safetensors")
    name = next(name for name in weights if name.endswith("word_embeddings.weight"))
    rows = weights[name]
    weights[name] = rows.repeat(1 + len(pieces) // len(rows), 1)[: len(pieces)].clone()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    set_config(folder, vocab_size=len(pieces), pad_token_id=0)


def look_alike(folder: Path, name: str) -> Path:
    """Write what a published encoder looks like, by its name in LOOK_ALIKES, and return its folder."""
    LOOK_ALIKES[name](folder)
    return folder


def tagger(folder: Path, *tags: str, **config: Any) -> Path:
    """Write a model that was trained to tag, with other names for its outputs, and without Linnet's own files."""
    shutil.copytree(tiny.trained(), folder, ignore=shutil.ignore_patterns("linnet.json", "recipe.toml", "*.tsv"))
    if tags:
        config["id2label"] = {str(number): tag for number, tag in enumerate(tags)}
        config["label2id"] = {tag: number for number, tag in enumerate(tags)}
    set_config(folder, **config)
    return folder


def _old_names(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """As TensorFlow named them, with the prefix of a pretraining network and its head."""
    found = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): each
        for name, each in weights.items()
    }
    found["cls.predictions.bias"] = torch.zeros(3)
    # tied to the embeddings: both names share memory in the file
    found["cls.predictions.decoder.weight"] = found["bert.embeddings.word_embeddings.weight"]
    return found


def _biobert(folder: Path) -> None:
    """dmis-lab/biobert-base-cased-v1.1: old pickle, old names, vocab.txt alone, no model_type, cased."""
    encoder_copy(folder)
    write_vocab(folder, *CASED)
    as_torch_file(folder, change=_old_names, is_zipped=False)
    set_config(folder, model_type=None, architectures=None)


def _scibert(folder: Path) -> None:
    """allenai/scibert_scivocab_cased: pickle without prefix, vocab.txt alone, no model_type, cased."""
    encoder_copy(folder)
    write_vocab(folder, *CASED)
    as_torch_file(folder)
    set_config(folder, model_type=None, architectures=None)


def _bluebert(folder: Path) -> None:
    """bionlp/bluebert...: as BioBERT, uncased."""
    encoder_copy(folder)
    write_vocab(folder, "ataxia", "was", "a", "##s")
    as_torch_file(folder, change=_old_names)
    set_config(folder, model_type=None, architectures=None)


def _with_prefix(prefix: str) -> Callable[[dict[str, Tensor]], dict[str, Tensor]]:
    return lambda weights: {f"{prefix}{name}": each for name, each in weights.items()}


def _bioelectra(folder: Path) -> None:
    encoder_copy(folder, "electra")
    as_torch_file(folder, change=_with_prefix("electra."))


def _biolm(folder: Path) -> None:
    """RoBERTa-large-PM-M3-Voc-hf: pickle, vocab.json and merges.txt."""
    encoder_copy(folder, "roberta")
    made = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    ids = dict(made["model"]["vocab"]) | {each["content"]: each["id"] for each in made["added_tokens"]}
    drop(folder, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    merges = "".join(f"{' '.join(pair)}\n" for pair in made["model"]["merges"])
    (folder / "merges.txt").write_text(f"#version: 0.2\n{merges}", encoding="utf-8")
    as_torch_file(folder, change=_with_prefix("roberta."), shards=2)


def _in_torch_file(family: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        as_torch_file(encoder_copy(folder, family))

    return write


LOOK_ALIKES: dict[str, Callable[[Path], None]] = {
    "biobert": _biobert,
    "scibert-cased": _scibert,
    "bluebert": _bluebert,
    "bioelectra": _bioelectra,
    "bio-lm": _biolm,
    **{family: _in_torch_file(family) for family in tiny.FAMILIES},
}


class Hub:
    """A server on this machine that stands in for the model hub.

    Args:
        repositories: folders by name; `NAME@REF` are the files of another branch, such as a pull request.
    """

    def __init__(self, repositories: Mapping[str, Path]) -> None:
        self.repositories = dict(repositories)
        self.asked: list[str] = []

    def commit(self, name: str) -> str:
        """Return the commit that a repository is at: a digest of its files."""
        digest = sha1(usedforsecurity=False)
        for path in sorted(self.repositories[name].iterdir()):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    @contextmanager
    def running(self) -> Iterator[str]:
        """Serve, and yield the address."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def _folder(self, name: str, revision: str) -> tuple[Path, str] | None:
        for key, folder in self.repositories.items():
            own, _, ref = key.partition("@")
            if own == name and revision in (ref or "main", self.commit(key)):
                return folder, self.commit(key)
        return None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.do_GET(with_body=False)

            def do_GET(self, *, with_body: bool = True) -> None:
                path = unquote(urlsplit(self.path).path).strip("/")
                hub.asked.append(path)
                found = hub._api(path) if path.startswith("api/models/") else hub._file(path)
                if found is None:
                    self._answer(404, b"{}", {"X-Error-Code": "EntryNotFound"}, with_body)
                else:
                    self._answer(200, *found, with_body)

            def _answer(self, status: int, body: bytes, headers: Mapping[str, str], with_body: bool) -> None:
                self.send_response(status)
                for key, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(key, value)
                self.end_headers()
                if with_body:
                    self.wfile.write(body)

        return Handler

    def _api(self, path: str) -> tuple[bytes, dict[str, str]] | None:
        parts = path.removeprefix("api/models/").split("/")
        name, verb = "/".join(parts[:2]), parts[2] if len(parts) > 2 else "revision"
        place = self._folder(name, "/".join(parts[3:]) or "main")
        if place is None or verb not in ("revision", "tree"):
            return None
        folder, commit = place
        files = sorted(each for each in folder.iterdir() if each.is_file())
        if verb == "tree":
            rows = [
                {"type": "file", "path": each.name, "size": each.stat().st_size, "oid": _etag(each)} for each in files
            ]
            return json.dumps(rows).encode(), {"Content-Type": "application/json"}
        told = {"id": name, "modelId": name, "sha": commit, "siblings": [{"rfilename": each.name} for each in files]}
        return json.dumps(told | {"tags": [], "private": False, "downloads": 0}).encode(), {
            "Content-Type": "application/json"
        }

    def _file(self, path: str) -> tuple[bytes, dict[str, str]] | None:
        owner, name, verb, revision, *rest = [*path.split("/"), *[""] * 5][: max(5, len(path.split("/")))]
        place = self._folder(f"{owner}/{name}", revision) if verb == "resolve" else None
        file = place[0] / "/".join(rest) if place else None
        if place is None or file is None or not file.is_file():
            return None
        return file.read_bytes(), {"ETag": f'"{_etag(file)}"', "X-Repo-Commit": place[1]}


def _etag(path: Path) -> str:
    return sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
