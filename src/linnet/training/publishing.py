"""Publishes a run: copies its model, scores and card without the texts of the corpus and without paths of this machine.

Only files that are known to hold no text of the corpus are copied. Predictions, mistakes, reports and pages hold
sentences, so they are left out, and so is every file that is not known. Paths that the recipe names become names.
"""

import json
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.errors import BadFile
from linnet.models.model_folder import FACTS, NETWORK, read_facts
from linnet.reports.card_sections import quote_as_json, quote_for_shell
from linnet.reports.markdown import escape
from linnet.storage.files import check_overwrite, new_file, new_folder, read_text
from linnet.storage.folder_lock import lock_folder
from linnet.storage.json_keys import load_json
from linnet.storage.run_folders import RECIPE
from linnet.storage.toml import read_toml
from linnet.training.run_folder import CHECKPOINTS, METRICS, data_options

__all__ = ["CARD", "PUBLISHED", "Published", "name_model", "publish_run", "without_folders"]

CARD, PUBLISHED = "README.md", "published.json"
WITHOUT_TEXTS = (
    "*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json", "linnet.json",
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.txt",
    "vocab.json", "merges.txt", "*.model", "training.png", "reliability.png", METRICS, "history.jsonl", RECIPE, CARD,
    "LICENSE*", "LICENCE*", "NOTICE*",
)  # fmt: skip
REWRITTEN = (CARD, RECIPE, METRICS, "linnet.json", "config.json", "tokenizer_config.json", "history.jsonl")
SECTIONS = ("## How to use it", "## Data", "## Training", "## Scores", "## Limits", "## How to repeat it")
PLACEHOLDER = re.compile(r"\[more information needed\]|\b(?:TODO|FIXME|TBD|XXX)\b", re.IGNORECASE)
# absolute, of a home folder, of the folder above, of Windows; not the middle of a word or an address
LOCAL_PATH = re.compile(
    r"(?<![\w/.:~-])(?:~/|\.\./|/(?=[\w.-]+/)|[A-Za-z]:\\)[^\s`\"'<>|]+|(?<!\w)file://[^\s`\"'<>|]+"
)
WITH_REPORT, WITHOUT_REPORT = "`report.md` and `training.png` show", "`training.png` shows"
SHOWN = re.compile(r" ?`report\.md` and `training\.png` show how it went\.")
IN_FOLDER = re.compile(r"(## How to repeat it\n+```bash\n)cd .*\n")
REPEAT = re.compile(r"(## How to repeat it\n+```bash\n)(?:cd .*\n)?linnet train .*\n```")
TITLE = re.compile(r"^# .+$", re.MULTILINE)
# where a card names its model: after an option in a command, and as a string in Python and in the front matter
IN_COMMANDS = re.compile(r"(--(?:model|vocabulary) )(?:'[^'\n]*'|[^\s']+)")
IN_CODE = re.compile(r'((?:\bload|\bfrom_pretrained)\(|\bmodel=|^- name: )"(?:[^"\\\n]|\\.)*"', re.MULTILINE)
NO_LICENCE = "Licence: none has been chosen"


@dataclass(frozen=True)
class Published:
    """A run that was published."""

    folder: Path
    files: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"folder": str(self.folder), "files": list(self.files), "left_out": list(self.left_out)}


def publish_run(run: str | Path, output: str | Path, *, overwrite: bool = False) -> Published:
    """Copy a finished run without texts; the folder appears only if its card is complete and names no local path.

    Args:
        run: the run folder.
        output: folder to write.
        overwrite: replace an older published run.

    Raises:
        BadFile: where the run is not finished, its card is not complete, or a file names a local path.
    """
    source, target = Path(run), Path(output)
    check_overwrite(
        target, source=source, is_older=_is_published(target), overwrite=overwrite, what="published run", original="run"
    )
    _check_finished(source)
    with lock_folder(source), new_folder(target, overwrite=overwrite) as part:
        chosen = sorted(path.name for path in source.iterdir() if path.is_file() and _is_without_texts(path.name))
        left_out = sorted(_describe(path) for path in source.iterdir() if path.name not in chosen)
        renamed, new_name = _list_paths(source, target), target.resolve().name
        data = [_replace_paths(each, renamed, CARD) for each in data_options(read_toml(source / RECIPE))]
        for name in chosen:
            if name in REWRITTEN:
                text = read_text(source / name)
                _check_json(source / name, text)
                text = _replace_paths(text, renamed, name)
                _write_text(part / name, _adapt_card(text, new_name, data) if name == CARD else text)
            else:
                shutil.copyfile(source / name, part / name)
        _check_card(part, source)
        _refuse_local_paths(part, source)
        with new_file(part / PUBLISHED) as file:
            json.dump({"linnet": __version__, "files": chosen, "left_out": left_out}, file, indent=2)
        notes = tuple(_notes(part))
    return Published(folder=target, files=tuple(chosen), left_out=tuple(left_out), notes=notes)


def _check_finished(source: Path) -> None:
    """Refuse a folder without a finished run."""
    if not source.is_dir():
        raise BadFile(f"{source}: there is no such run folder", "give the folder that `linnet train` wrote")
    if (source / NETWORK).is_file() and not any(source.glob("*.safetensors")):
        raise BadFile(
            f"{source}: is an exported model ({NETWORK}), not a run folder",
            "give the folder that `linnet train` wrote, the one that was given to `linnet export`",
        )
    missing = [f"it has no {name}" for name in (RECIPE, METRICS, FACTS) if not (source / name).is_file()]
    if (source / CHECKPOINTS).exists():
        missing.append(f"it has {CHECKPOINTS}/")
    if missing:
        raise BadFile(f"{source}: holds no finished run ({missing[0]})", "train it, or go on with `--resume`")
    read_facts(source)  # a folder of folds is refused with the names of its runs
    if not any(path.is_file() for path in source.glob("*.safetensors")):
        raise BadFile(f"{source}: the run has no weights (model.safetensors)", "train it again")


def _check_json(path: Path, text: str) -> None:
    """Refuse a file that should hold a JSON object, or one on each line, and does not."""
    values = {".json": {0: text}, ".jsonl": dict(enumerate(text.splitlines(), 1))}.get(path.suffix, {})
    for number, value in values.items():
        place = f"{path}:{number}" if number else path
        try:
            found = load_json(value)
        except ValueError as error:
            raise BadFile(f"{place}: this is not JSON ({error})", "train it again") from None
        if not isinstance(found, dict):
            raise BadFile(f"{place}: this is no JSON object", "train it again")


def _is_published(folder: Path) -> bool:
    """Was this folder published before, and does it hold nothing else?"""
    try:
        found = load_json((folder / PUBLISHED).read_text(encoding="utf-8"))
        return {path.name for path in folder.iterdir()} <= {*found["files"], PUBLISHED}
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _is_without_texts(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in WITHOUT_TEXTS)


def _describe(path: Path) -> str:
    return f"{path.name}/" if path.is_dir() else path.name


def _list_paths(source: Path, target: Path) -> list[tuple[str, str]]:
    """Return the local paths that the recipe names, longest first, each with the name that stands for it."""
    recipe = read_toml(source / RECIPE)
    names = {found: re.split(r"[\\/]", found.rstrip("\\/"))[-1] for found in _find_strings(recipe) if _is_local(found)}
    if isinstance(recipe.get("output"), str):
        names[recipe["output"]] = target.resolve().name
    return sorted(((path, name) for path, name in names.items() if name), key=lambda pair: -len(pair[0]))


def _find_strings(value: Any) -> Iterator[str]:  # any TOML value
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _find_strings(each)


def _is_local(path: str) -> bool:
    return LOCAL_PATH.match(path) is not None or Path(path).is_absolute()


def _replace_paths(text: str, renamed: Iterable[tuple[str, str]], file: str) -> str:
    """Return the text with names for paths; in the recipe `output` is the name of the new folder."""
    for path, name in renamed:
        for form in dict.fromkeys((path, json.dumps(path)[1:-1])):  # JSON and TOML escape backslashes
            if _is_local(path):
                text = text.replace(form, name)
            elif file == RECIPE:
                text = text.replace(f'output = "{form}"', f'output = "{name}"', 1)
    return text


def _adapt_card(text: str, name: str, data: Iterable[str]) -> str:
    """Return the card without the report that is left out; its title and examples name the new folder.

    Args:
        text: of the card.
        name: of the new folder.
        data: the option that names the data of the run.
    """
    text = text.replace(WITH_REPORT, WITHOUT_REPORT)
    command = shlex.join(["linnet", "train", f"{name}/{RECIPE}", "--output", f"{name}-again", *data])
    text = REPEAT.sub(lambda found: f"{found[1]}{command}\n```", text)
    return name_model(text, name)


def without_folders(card: str) -> str:
    """Return a card that speaks neither of pictures and reports beside it nor of the folder in which it was trained."""
    return IN_FOLDER.sub(r"\1", SHOWN.sub("", card))


def name_model(card: str, name: str) -> str:
    """Return a card whose title and examples name this model."""
    text = TITLE.sub(lambda _: f"# {escape(name)}", card, count=1)
    text = IN_COMMANDS.sub(lambda found: f"{found[1]}{quote_for_shell(name)}", text)
    return IN_CODE.sub(lambda found: f"{found[1]}{quote_as_json(name)}", text)


def _write_text(path: Path, text: str) -> None:
    with new_file(path) as file:
        file.write(text)


def _check_card(part: Path, source: Path) -> None:
    """Refuse a card that is missing, lacks a section or has a placeholder."""
    card = source / CARD
    if not (part / CARD).is_file():
        raise BadFile(f"{card}: the run has no model card", "train it again, or write a card with the usual sections")
    lines = (part / CARD).read_text(encoding="utf-8").splitlines()
    missing = [section for section in SECTIONS if section not in lines]
    if missing:
        raise BadFile(f"{card}: the card is not complete, missing {', '.join(missing)}", "add it to the card")
    for number, line in enumerate(lines, 1):
        if found := PLACEHOLDER.search(line):
            raise BadFile(f"{card}:{number}: the card is not complete, found {found[0]!r}", "fill it in")


def _refuse_local_paths(part: Path, source: Path) -> None:
    """Refuse paths of this machine in the card and in the files that describe the run."""
    for name in REWRITTEN:
        if not (part / name).is_file():
            continue
        for number, line in enumerate((part / name).read_text(encoding="utf-8").splitlines(), 1):
            if found := LOCAL_PATH.search(line):
                raise BadFile(
                    f"{source / name}:{number}: names a path of this machine, {found[0]!r}",
                    "write a name or an address in its place; nothing was published",
                )


def _notes(part: Path) -> Iterator[str]:
    if NO_LICENCE in (part / CARD).read_text(encoding="utf-8"):
        yield f"the card names no licence; write one into {CARD} before you pass the model on"
    if load_json((part / METRICS).read_text(encoding="utf-8")).get("warnings"):
        yield f"warnings in {METRICS} may name documents of the corpus; check that they may be passed on"
