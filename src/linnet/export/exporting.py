"""How is a model exported, so that it appears only if it says what the original says?"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from linnet import __version__
from linnet.errors import LinnetError
from linnet.export import TOLERANCE
from linnet.export.onnx_export import check_packages, write_model
from linnet.export.parity import Parity, compare, embedded_sentences, read_check
from linnet.export.quantise import quantise
from linnet.models.model_folder import (
    NETWORK,
    ModelFacts,
    OnnxFacts,
    file_fingerprint,
    model_fingerprint,
    read_facts,
    write_facts,
)
from linnet.models.published.opening import model_folder
from linnet.models.tokenizer_file import TOKENIZER, TRANSITIONS
from linnet.storage.files import check_overwrite, new_folder
from linnet.tasks.ner.predictor import load

__all__ = ["Exported", "export_model"]

MOST_DIFFERENCE = 1e-4  # between scores of the original and of its float32 export
FLOAT_NETWORK = "float32.onnx"  # while it is being quantised


@dataclass(frozen=True)
class Exported:
    """An exported model."""

    folder: Path
    facts: OnnxFacts
    n_bytes: int  # of the network
    parity: Parity
    notes: tuple[str, ...] = ()  # what is to be said of the corpus that it was checked on

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        parity = self.parity
        return {
            "folder": str(self.folder),
            "int8": self.facts.int8,
            "opset": self.facts.opset,
            "bytes": self.n_bytes,
            "sentences": parity.sentences,
            "words": parity.words,
            "equal_tags": parity.equal_tags,
            "largest_difference": parity.largest_difference,
            "f1": parity.f1,
            "exported_f1": parity.exported_f1,
            "points_lost": parity.points_lost,
            "model_fingerprint": self.facts.model_fingerprint,
            "file_fingerprint": self.facts.file_fingerprint,
        }


def export_model(  # noqa: PLR0913 — each is an option of the command
    model: str | Path, output: str | Path, *, int8: bool = False, check: str | Path | None = None,
    split: str = "test", label: str | None = None, repair: bool = False, tolerance: float = TOLERANCE,
    overwrite: bool = False, labels: str | Path | None = None,
) -> Exported:  # fmt: skip
    """Write a model as a folder that runs without torch; it appears only if it says what the original says.

    Args:
        model: folder of a trained model, or the hub name of a tagger.
        output: folder to write.
        int8: compute with 8-bit integers, which is smaller and faster, and not quite the same.
        check: corpus to compare on; the embedded sentences if not given.
        split: of that corpus.
        label: what bare B/I/O tags mark, of that corpus (its name if not given) and of a tagger of others.
        repair: mend what can be mended in that corpus by a stated rule.
        tolerance: F1 points that int8 may lose on the corpus.
        overwrite: replace an older export.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.

    Raises:
        LinnetError: where the network cannot be exported, or the exported one says something else.
    """
    source, target = model_folder(model, labels=labels, label=label), Path(output)
    facts = read_facts(source)
    check_overwrite(
        target, source=source, is_older=_is_export(target), overwrite=overwrite, what="exported model", original="model"
    )
    check_packages()
    original = load(source, engine="torch", device="cpu")
    examples = None if check is None else read_check(check, split, original, label=label, repair=repair)
    sentences = embedded_sentences(facts.max_length) if examples is None else examples.words
    with new_folder(target, overwrite=overwrite) as part:
        _fill(part, source, facts, int8=int8)
        parity = compare(original, load(part, engine="onnx"), sentences, examples)
        _judge(parity, source, int8=int8, tolerance=tolerance)
    written = read_facts(target).onnx
    assert written is not None
    notes = () if examples is None else tuple(examples.notes.sentences())
    return Exported(target, written, (target / NETWORK).stat().st_size, parity, notes)


def _is_export(folder: Path) -> bool:
    try:
        return (folder / NETWORK).is_file() and read_facts(folder).onnx is not None
    except LinnetError:
        return False


def _fill(part: Path, source: Path, facts: ModelFacts, *, int8: bool) -> None:
    """Write everything that the onnx engine needs into an empty folder."""
    for name in ("config.json", TOKENIZER, TRANSITIONS):
        if (source / name).is_file():
            shutil.copyfile(source / name, part / name)
    network = part / NETWORK
    if int8:
        opset = write_model(source, part / FLOAT_NETWORK)
        quantise(part / FLOAT_NETWORK, network)
        (part / FLOAT_NETWORK).unlink()
    else:
        opset = write_model(source, network)
    onnx = OnnxFacts(int8, opset, model_fingerprint(source), file_fingerprint(network), __version__)
    write_facts(part, replace(facts, onnx=onnx))


def _judge(parity: Parity, source: Path, *, int8: bool, tolerance: float) -> None:
    """Refuse an export that says something else than the original."""
    if int8:
        lost = parity.points_lost
        if lost is not None and lost > tolerance:
            raise LinnetError(
                f"{source}: int8 loses {lost:.2f} F1 points ({100 * (parity.f1 or 0):.2f} to "
                f"{100 * (parity.exported_f1 or 0):.2f}), more than the {tolerance:g} allowed; nothing was written",
                "export without `--int8`, or allow more with `--tolerance`",
            )
        return
    n_other = parity.words - parity.equal_words
    if n_other or not parity.largest_difference <= MOST_DIFFERENCE:
        raise LinnetError(
            f"{source}: the exported network differs from the original: {n_other:,} of {parity.words:,} words have "
            f"another tag, scores differ by {parity.largest_difference:.2g} (at most {MOST_DIFFERENCE:g}); "
            "nothing was written",
            "annotate with the engine torch, or try another version of torch or onnxruntime",
        )
