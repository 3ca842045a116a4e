"""Exports a model to ONNX and checks that it still predicts the same; otherwise nothing is written."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from linnet import __version__
from linnet.contracts import Exportable, Parity, tasks
from linnet.errors import LinnetError
from linnet.export import TOLERANCE
from linnet.export.export_card import write_export_card
from linnet.export.kept_checks import describe_check, keep_check, read_check
from linnet.export.onnx_export import check_packages, write_network
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
from linnet.storage.files import check_overwrite, new_folder

__all__ = ["Exported", "export_model"]

MOST_DIFFERENCE = 1e-4  # between scores of the original and of its float32 export
KEPT = "the check was not computed again: an earlier export kept that of the same networks on the same corpus"
FLOAT_NETWORK = "float32.onnx"  # while it is being quantised


@dataclass(frozen=True)
class Exported:
    """An exported model."""

    folder: Path
    facts: OnnxFacts
    n_bytes: int  # of the network
    parity: Parity
    notes: tuple[str, ...] = ()  # on the corpus that it was checked on

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {
            "folder": str(self.folder),
            "int8": self.facts.int8,
            "opset": self.facts.opset,
            "bytes": self.n_bytes,
            **self.parity.as_dict(),
            "model_fingerprint": self.facts.model_fingerprint,
            "file_fingerprint": self.facts.file_fingerprint,
        }


def export_model(  # noqa: PLR0913 — each is an option of the command
    model: str | Path, output: str | Path, *, int8: bool = False, check: str | Path | None = None,
    split: str = "test", label: str | None = None, repair: bool = False, tolerance: float = TOLERANCE,
    overwrite: bool = False, labels: str | Path | None = None,
) -> Exported:  # fmt: skip
    """Write a model as a folder that runs without torch; it appears only if it predicts the same as the original.

    Args:
        model: folder of a trained model, or the hub name of a tagger.
        output: folder to write.
        int8: compute with 8-bit integers: smaller and faster, with slightly different scores.
        check: corpus to compare on; the embedded sentences if not given.
        split: of that corpus.
        label: of bare B/I/O tags, in that corpus (its name if not given) and in a tagger of others.
        repair: repair that corpus where a stated rule can.
        tolerance: F1 points that int8 may lose on the corpus.
        overwrite: replace an older export.
        labels: file with the tags of the outputs in their order, for taggers of others that do not name them.

    Raises:
        LinnetError: where the network cannot be exported, or the exported one predicts something else.
    """
    source, target = model_folder(model, labels=labels, label=label, may_be_of_corpus=True), Path(output)
    facts = read_facts(source)
    check_overwrite(
        target, source=source, is_older=_is_export(target), overwrite=overwrite, what="exported model", original="model"
    )
    check_packages()
    original = tasks.get(facts.task).exportable(source, check=check, split=split, label=label, repair=repair)
    with new_folder(target, overwrite=overwrite) as part:
        _fill(part, original, source, facts, int8=int8)
        checked = _check(part, original, facts.task, int8=int8)
        _refuse_difference(checked.parity, source, int8=int8, tolerance=tolerance)
        written = read_facts(part).onnx
        assert written is not None
        write_export_card(part, source, written, checked.parity, name=target.resolve().name)
    notes = (*original.notes, *checked.notes, *checked.parity.notes)
    return Exported(
        folder=target,
        facts=written,
        n_bytes=(target / NETWORK).stat().st_size,
        parity=checked.parity,
        notes=(*notes, *_explain_loss(checked.parity, int8=int8, tolerance=tolerance)),
    )


@dataclass(frozen=True)
class _Checked:
    """The comparison of an export with the original, and where it comes from."""

    parity: Parity
    notes: tuple[str, ...] = ()


def _check(part: Path, original: Exportable, task: str, *, int8: bool) -> _Checked:
    """Compare the export with the original; an int8 check is kept, so that another tolerance needs no new one."""
    if not int8:
        return _Checked(original.compare(part))
    described = describe_check(part, task=task, corpus=original.corpus_fingerprint)
    kept = read_check(described, original)
    if kept is not None:
        return _Checked(kept, (KEPT,))
    parity = original.compare(part)
    keep_check(described, parity)
    return _Checked(parity)


def _is_export(folder: Path) -> bool:
    try:
        return (folder / NETWORK).is_file() and read_facts(folder).onnx is not None
    except LinnetError:
        return False


def _fill(part: Path, original: Exportable, source: Path, facts: ModelFacts, *, int8: bool) -> None:
    """Write everything that the onnx engine needs into an empty folder."""
    for name in original.files:
        if (source / name).is_file():
            shutil.copyfile(source / name, part / name)
    network = part / NETWORK
    written = part / FLOAT_NETWORK if int8 else network
    opset = write_network(original.network(), written, inputs=original.inputs(), axes=original.axes())
    if int8:
        quantise(part / FLOAT_NETWORK, network)
        (part / FLOAT_NETWORK).unlink()
    onnx = OnnxFacts(
        int8=int8,
        opset=opset,
        model_fingerprint=model_fingerprint(source),
        file_fingerprint=file_fingerprint(network),
        linnet=__version__,
    )
    write_facts(part, replace(facts, onnx=onnx))


def _refuse_difference(parity: Parity, source: Path, *, int8: bool, tolerance: float) -> None:
    """Refuse an export that predicts something else than the original.

    A loss of int8 is refused if it is above the tolerance and more than chance: its interval excludes 0.
    """
    if int8:
        lost, interval = parity.points_lost, parity.loss_interval
        if lost is not None and lost > tolerance and (interval is None or interval.excludes_zero):
            raise LinnetError(
                f"{source}: int8 loses {lost:.2f} points, more than the {tolerance:g} allowed "
                f"({'; '.join(parity.sentences())}); nothing was written",
                "export without `--int8`, or allow more with `--tolerance`",
            )
        return
    if parity.n_different or not parity.largest_difference <= MOST_DIFFERENCE:
        raise LinnetError(
            f"{source}: the exported network differs from the original: {parity.n_different:,} of "
            f"{parity.n_compared:,} {parity.unit} have another prediction, scores differ by "
            f"{parity.largest_difference:.2g} (at most {MOST_DIFFERENCE:g}); nothing was written",
            "annotate with the engine torch, or try another version of torch or onnxruntime",
        )


def _explain_loss(parity: Parity, *, int8: bool, tolerance: float) -> list[str]:
    """Say why a loss above the tolerance was accepted."""
    lost = parity.points_lost
    if not int8 or lost is None or lost <= tolerance:
        return []
    return [
        f"int8 loses {lost:.2f} points, more than the {tolerance:g} allowed, but this may be chance: the interval of "
        f"the loss includes 0 ({parity.loss_interval}); a larger corpus (`--check`) tells more"
    ]
