"""Builds the folder of an embedded model from a finished run: int8 export, scores, speed, digests and model card.

python -m linnet.export.release recipes/release-bio.toml
"""

import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import Field

from linnet.documents.document import Document
from linnet.documents.sentences import with_sentences
from linnet.errors import BadSetting, LinnetError
from linnet.export.exporting import export_model
from linnet.export.prune_vocabulary import count_subwords, prune_vocabulary
from linnet.export.release_card import write_release_card
from linnet.formats.corpus import read_corpus
from linnet.formats.reading import read_documents
from linnet.models.evaluation import evaluate
from linnet.models.loading import load
from linnet.models.model_folder import FACTS, file_fingerprint, read_facts, write_facts
from linnet.settings.base import Settings
from linnet.settings.files import load_settings
from linnet.storage.files import new_folder
from linnet.training.publishing import CARD

__all__ = ["ReleaseScoreSettings", "ReleaseSettings", "build_release", "main", "write_release"]

MATCHING = "strict"
FIGURES = ("f1", "f1_low", "f1_high", "precision", "recall", "gold", "units", "n_units")  # of a row of scores
TIMED_DOCUMENTS = 200


class ReleaseScoreSettings(Settings):
    """A corpus that an embedded model is scored on; only labels that both have are scored."""

    name: str = Field(description="Name of the corpus in tables.")
    data: str = Field(description="Folder of the corpus.")
    split: str = Field("test", description="Split to score.")
    role: str = Field("in-domain", description="`in-domain` if its training split was learned, else `cross-corpus`.")


class ReleaseSettings(Settings):
    """Settings of an embedded model."""

    run: str = Field(description="Folder of the finished run, or an older release, whose weights are then kept.")
    output: str = Field(description="Folder to write.")
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description="Name that `--model` finds it by.")
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$", description="Version, which every output names.")
    licence: str = Field(description="Licence of the weights.")
    description: str = Field("", description="One sentence for lists.")
    notes: str | None = Field(None, description="Markdown file with the known weaknesses, for the card.")
    most_megabytes: float = Field(25.0, gt=0, description="Largest size of all files together.")
    prune_by: tuple[str, ...] = Field((), description="Files of documents; sub-words that none has are removed.")
    prune_below: int = Field(1, ge=1, description="Sub-words with fewer occurrences are removed.")
    same_abbreviations: bool | None = Field(
        None, description="Abbreviations get the label of their long forms; as the run says if not given."
    )
    tolerance: float = Field(0.5, ge=0, description="F1 points that int8 may lose on the first corpus.")
    scores: tuple[ReleaseScoreSettings, ...] = Field(min_length=1, description="Corpora to score on, the main first.")


def build_release(settings: ReleaseSettings) -> Path:
    """Write the folder of an embedded model; it replaces an older one when all is done.

    Raises:
        LinnetError: where int8 loses too much, or the folder is larger than it may be.
    """
    output, run = Path(settings.output), Path(settings.run)
    with TemporaryDirectory(prefix="linnet-release-") as work:
        source = _prune(run, Path(work), settings) if settings.prune_by else run
        exported = Path(work) / "exported"
        first = settings.scores[0]
        parity = _export(source, exported, settings)
        if settings.same_abbreviations is not None:
            facts = replace(read_facts(exported), same_abbreviations=settings.same_abbreviations)
            write_facts(exported, facts)
        release: dict[str, Any] = {
            "name": settings.name,
            "version": settings.version,
            "licence": settings.licence,
            "description": settings.description,
            "scores": [row for each in settings.scores for row in _score(exported, each)],
            "words_per_second": _measure_speed(exported, first),
            "export": parity,
        }
        with new_folder(output, overwrite=True) as part:
            for path in sorted(exported.iterdir()):
                shutil.copyfile(path, part / path.name)
            write_release_card(part / CARD, release, read_facts(exported), run, notes=settings.notes)
            write_release(part, release)
            _check_size(part, settings.most_megabytes)
    return output


def write_release(folder: Path, release: dict[str, Any]) -> None:
    """Write what a release is into `linnet.json`, with the digests of all other files of the folder."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != FACTS)
    files = {name: file_fingerprint(folder / name) for name in names}
    write_facts(folder, replace(read_facts(folder), release={**release, "files": files}))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the release that a TOML file describes and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if len(given) != 1:
            raise BadSetting(
                f"found {len(given)} arguments, expected one", "give a file such as recipes/release-bio.toml"
            )
        folder = build_release(load_settings(ReleaseSettings, Path(given[0])))
    except LinnetError as error:
        sys.stderr.write(f"linnet: {error}\n")
        return 2
    size = sum(path.stat().st_size for path in folder.iterdir())
    sys.stdout.write(f"{folder}: {size / 1e6:.1f} MB\n")
    return 0


def _export(source: Path, exported: Path, settings: ReleaseSettings) -> Mapping[str, Any]:
    """Export the run and return how far int8 agrees with it; of an older release both are kept."""
    facts, first = read_facts(source), settings.scores[0]
    if facts.onnx is None:
        done = export_model(
            source, exported, int8=True, check=first.data, split=first.split, tolerance=settings.tolerance
        )
        return done.parity.as_dict()
    exported.mkdir()
    for name in facts.release["files"]:
        if name != CARD:
            shutil.copyfile(source / name, exported / name)
    write_facts(exported, replace(facts, release={}))
    parity: Mapping[str, Any] = facts.release["export"]
    return parity


def _prune(run: Path, work: Path, settings: ReleaseSettings) -> Path:
    pruned = work / "pruned"
    pruned.mkdir()
    documents = [document for place in settings.prune_by for document in read_documents(Path(place))]
    counts = count_subwords(run, _sentences(documents))
    prune_vocabulary(run, pruned, counts, least=settings.prune_below)
    return pruned


def _sentences(documents: Sequence[Document]) -> Iterator[list[str]]:
    for document in documents:
        for sentence in with_sentences(document.without_annotations()):
            if sentence.tokens:
                yield [document.text[start:end] for start, end in sentence.tokens]


def _score(folder: Path, wanted: ReleaseScoreSettings) -> Iterator[dict[str, Any]]:
    """Yield a row for all labels of a corpus together, and one for each of several."""
    found = evaluate(folder, wanted.data, split=wanted.split, map={}).as_dict()
    place = {"corpus": wanted.name, "split": wanted.split, "role": wanted.role}
    rows = {"all": found[MATCHING]["micro"], **found[MATCHING]["labels"]}
    if len(rows) == 2:
        del rows["all"]
    for label, block in rows.items():
        yield {**place, "label": label, **{key: block[key] for key in FIGURES}}


def _measure_speed(folder: Path, corpus: ReleaseScoreSettings) -> float:
    """Return the words that one core annotates in a second."""
    model: Any = load(folder, threads=1)
    documents = list(read_corpus(corpus.data).split(corpus.split))[:TIMED_DOCUMENTS]
    texts = [Document(each.id, each.text) for each in documents]
    n_words: int = model.prepare(texts).n_words
    list(model.annotate(texts[:5]))
    started = time.process_time()
    list(model.annotate(texts))
    return round(n_words / max(1e-9, time.process_time() - started), 1)


def _check_size(folder: Path, most: float) -> None:
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    if size > most:
        raise BadSetting(
            f"the files take {size:.1f} MB, at most {most:g} are allowed; nothing was written",
            "prune the vocabulary with `prune_by`, or train a smaller encoder",
        )


if __name__ == "__main__":
    sys.exit(main())
