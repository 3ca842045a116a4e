"""Short forms of settings on the command line: `--data A+B`, `--eval A`, `--documents`, and those of pretraining.

Several corpora (multi-task training) are joined by `+`. A corpus has the name of its folder, or the one in
`NAME=FOLDER`. The corpus to evaluate is the target (the first if none is named), the others are auxiliary. Where a
recipe describes corpora, `--data` gives the folders of those with the same names, and `--eval` names the target. A
single folder without a name stays the setting `data`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.errors import BadSetting
from linnet.storage.toml import read_toml

__all__ = ["parse_named_files", "spread_corpora", "spread_documents", "spread_pretraining"]

PRETRAINING_NAMES = {"vocab": "vocabulary.train", "extend": "vocabulary.extend"}
BUDGETS = ("steps", "tokens", "hours")

Values = dict[str, Any]  # of one corpus, as TOML gives them


def spread_corpora(data: str | None, evaluated: str | None, recipe: Path | None) -> Values:
    """Return the settings that the short form stands for; a single folder without a name stays `data`.

    >>> [corpus["name"] for corpus in spread_corpora("corpora/a+corpora/b", None, None)["corpora"]]
    ['a', 'b']
    """
    values = read_toml(recipe) if recipe is not None else {}
    described = values.get("corpora", [])
    plain = {"data": data} if data else {}
    if not _are_sections(described) or (described and not plain and evaluated is None):
        return plain  # anything but sections is refused when the settings are read
    folders = _folders(data) if data else {}
    if not described and list(folders.values()) in ([], [data]):
        only = data or values.get("data")
        if evaluated is not None:
            _check_evaluated(evaluated, [_name(str(only))] if only else [])
        return plain
    corpora = (
        _put_folders(described, folders) if described else [{"name": name, "data": folders[name]} for name in folders]
    )
    names = [str(corpus.get("name", "")) for corpus in corpora]
    if evaluated is None and not described:
        evaluated = names[0]
    if evaluated is not None:
        _check_evaluated(evaluated, names)
        roles = ("target" if name == evaluated else "auxiliary" for name in names)
        corpora = [{**corpus, "role": role} for corpus, role in zip(corpora, roles, strict=True)]
    target = next((corpus for corpus in corpora if corpus.get("role") == "target"), {})
    return {"corpora": corpora, "data": target.get("data", "")}


def spread_documents(given: Sequence[str] | None) -> Values:
    """Return the settings that `--documents [SPLIT=]FILE` stands for; a file alone is that of test.

    >>> spread_documents(["test.ids", "devel=devel.ids"])
    {'documents.test': 'test.ids', 'documents.devel': 'devel.ids'}
    """
    files = parse_named_files(given or (), "--documents")
    return {f"documents.{split or 'test'}": file for split, file in files.items()}


def parse_named_files(given: Sequence[str], option: str) -> dict[str, str]:
    """Return the files of `[NAME=]FILE` by name, "" for the one without a name; refuse two of one name."""
    found: dict[str, str] = {}
    for each in given:
        name, equals, file = each.partition("=")
        if not equals or Path(each).exists():
            name, file = "", each
        if name in found or not file:
            what = f"two files for {name}" if name else "two files without a name"
            raise BadSetting(f"{option} {each}: {what if file else 'the file is missing'}", "give each one file")
        found[name] = file
    return found


def spread_pretraining(given: Mapping[str, Any]) -> Values:
    """Return the settings of a pretraining that short names stand for: budget, vocabulary, and texts as a list.

    >>> spread_pretraining({"hours": 2, "vocab": 8000, "texts": "a.txt", "steps": None})
    {'texts': ['a.txt'], 'budget': {'hours': 2}, 'vocabulary.train': 8000}
    """
    values = {key: str(value) if isinstance(value, Path) else value for key, value in given.items()}
    values = {key: value for key, value in values.items() if value is not None}
    texts = values.get("texts")
    if isinstance(texts, str):
        values["texts"] = [texts]
    elif isinstance(texts, list | tuple):
        values["texts"] = [str(text) if isinstance(text, Path) else text for text in texts]
    budget = {key: values.pop(key) for key in BUDGETS if key in values}
    if budget:
        values["budget"] = budget  # replaces the budget of the recipe
    for short, name in PRETRAINING_NAMES.items():
        if short in values:
            values[name] = values.pop(short)
    return values


def _are_sections(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(each, dict) for each in found)


def _folders(data: str) -> dict[str, str]:
    """Return the folders by the names of their corpora."""
    if Path(data).exists():  # the name of a folder may contain a plus
        return {_name(data): data}
    found: dict[str, str] = {}
    for part in data.split("+"):
        name, equals, folder = part.partition("=")
        if not equals or Path(part).exists():
            name, folder = _name(part), part
        if not name or not folder:
            raise BadSetting(f"--data {data}: a name or a folder is missing", "e.g. --data corpora/a+corpora/b")
        if name in found:
            raise BadSetting(
                f"--data {data}: two corpora are called {name!r}", "give them names: --data first=FOLDER+second=FOLDER"
            )
        found[name] = folder
    return found


def _name(folder: str) -> str:
    place = Path(folder)
    return place.parent.name if place.is_file() and place.parent.name else place.name


def _put_folders(described: Sequence[Values], folders: Mapping[str, str]) -> list[Values]:
    known = [str(corpus.get("name", "")) for corpus in described]
    unknown = [name for name in folders if name not in known]
    if unknown:
        raise BadSetting(
            f"--data names {', '.join(unknown)}, which is no corpus of the recipe",
            f"it has {', '.join(known)}; say which one a folder is with `--data {known[0]}=FOLDER`",
        )
    return [
        {**corpus, "data": folders.get(name, corpus.get("data"))} for corpus, name in zip(described, known, strict=True)
    ]


def _check_evaluated(name: str, names: Sequence[str]) -> None:
    if name not in names:
        known = f"the corpora of this training: {', '.join(names)}" if names else "say where it is with `--data FOLDER`"
        raise BadSetting(f"--eval {name}: there is no such corpus", known)
