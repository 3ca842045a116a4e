"""Embedded models: model folders that come with the package, found by their names and checked by their digests."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.models.checks.fields import read_object
from linnet.models.model_folder import FACTS, file_fingerprint, read_facts
from linnet.settings.annotation import DEFAULT_MODEL

__all__ = ["EmbeddedModel", "embedded_folder", "embedded_models", "open_embedded", "title_of"]

ROOT = Path(__file__).resolve().parents[1] / "embedded"
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
OF_A_MODEL = (FACTS, "config.json", "recipe.toml")  # one of these is in every folder with a model
MOST = 1e12  # of a figure
REINSTALL = "install Linnet again: `pip install --force-reinstall linnet-nlp`"


@dataclass(frozen=True, kw_only=True)
class EmbeddedModel:
    """A model that comes with the package."""

    name: str
    version: str
    description: str
    licence: str
    labels: tuple[str, ...]
    scores: tuple[Mapping[str, Any], ...]  # corpus, split, label, f1, f1_low, f1_high, units, n_units; the main first
    words_per_second: float | None  # on one core
    n_bytes: int  # of all files

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        main = self.scores[0] if self.scores else {}
        return {
            "name": self.name,
            "version": self.version,
            "description": self.description,
            "licence": self.licence,
            "labels": list(self.labels),
            **{key: main.get(key) for key in ("f1", "f1_low", "f1_high", "units", "n_units", "corpus", "split")},
            "words_per_second": self.words_per_second,
            "bytes": self.n_bytes,
            "scores": [dict(each) for each in self.scores],
        }


def embedded_models() -> list[EmbeddedModel]:
    """Return the models of this installation, the default first."""
    names = [path.parent.name for path in ROOT.glob(f"*/{FACTS}")]
    return [_describe(ROOT / name) for name in sorted(names, key=lambda name: (name != DEFAULT_MODEL, name))]


def embedded_folder(model: str | Path) -> Path | None:
    """Return the folder of the embedded model of this name; its files are not checked.

    None if it is no such name, or if the working directory has a model folder of this name, which comes first.

    Raises:
        BadFile: for the default model, if this installation has none.
    """
    name = str(model)
    if not NAME.fullmatch(name) or any((Path(model) / each).exists() for each in OF_A_MODEL):
        return None
    if (ROOT / name / FACTS).is_file():
        return ROOT / name
    if name == DEFAULT_MODEL:
        raise BadFile(
            f"this installation has no embedded model {name!r}",
            "name a model with `--model FOLDER`; `linnet train --data CORPUS --output FOLDER` trains one",
        )
    return None


def open_embedded(model: str | Path) -> Path | None:
    """Return the folder of the embedded model of this name, its files checked; None if it is no such name.

    Raises:
        BadFile: if a file is missing or is not the one that the package was built with.
    """
    folder = embedded_folder(model)
    if folder is None:
        return None
    for name, expected in _read_release(folder)["files"].items():
        _check_file(folder / str(name), expected)
    return folder


def title_of(folder: Path) -> str:
    """Return name and version of a model that is embedded, e.g. `bio 1.0.0`."""
    release = _read_release(folder)
    return f"{release['name']} {release['version']}"


def _check_file(path: Path, expected: str) -> None:
    try:
        found = file_fingerprint(path)
    except OSError as error:
        raise BadFile(
            f"{path}: a file of the embedded model {path.parent.name!r} cannot be read ({error.strerror})", REINSTALL
        ) from None
    if found != expected:
        raise BadFile(
            f"{path}: a file of the embedded model {path.parent.name!r} is damaged "
            f"(SHA-256 {found[:12]}, expected {str(expected)[:12]})",
            REINSTALL,
        )


def _read_release(folder: Path) -> Mapping[str, Any]:
    """Return what `linnet.json` says about the release; no other file is read."""
    try:
        release = read_object(folder / FACTS, folder).get("release")
    except BadFile as error:
        raise BadFile(error.problem, REINSTALL) from None
    values = release if isinstance(release, dict) else {}
    missing = [key for key in ("name", "version", "licence", "files") if not values.get(key)]
    if missing or not isinstance(values["files"], dict):
        raise BadFile(f"{folder / FACTS}: 'release' does not say {', '.join(missing) or 'the digests'}", REINSTALL)
    return values


def _check_scores(path: Path, release: Mapping[str, Any]) -> None:
    """Refuse scores and a speed that could not be shown."""
    scores, speed = release.get("scores", []), release.get("words_per_second")
    if speed is not None and not _is_number(speed):
        raise BadFile(f"{path}: 'words_per_second' of 'release' is no number", REINSTALL)
    if not isinstance(scores, list) or not all(isinstance(each, dict) and _is_score(each) for each in scores):
        raise BadFile(f"{path}: 'scores' of 'release' are no list of figures", REINSTALL)


def _is_score(row: Mapping[str, Any]) -> bool:
    """Has a row all names and figures? An interval may be missing, or whole."""
    ends = [row.get("f1_low"), row.get("f1_high")]
    return (
        all(isinstance(row.get(key), str) for key in ("corpus", "split", "label"))
        and isinstance(row.get("units"), str | None)
        and _is_number(row.get("f1"))
        and (ends == [None, None] or all(map(_is_number, ends)))
        and (row.get("n_units") is None or type(row["n_units"]) is int)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST


def _describe(folder: Path) -> EmbeddedModel:
    release, facts = _read_release(folder), read_facts(folder)
    _check_scores(folder / FACTS, release)
    return EmbeddedModel(
        name=str(release["name"]),
        version=str(release["version"]),
        description=str(release.get("description", "")),
        licence=str(release["licence"]),
        labels=tuple(facts.label_set.labels),
        scores=tuple(release.get("scores", ())),
        words_per_second=release.get("words_per_second"),
        n_bytes=sum(path.stat().st_size for path in folder.iterdir() if path.is_file()),
    )
