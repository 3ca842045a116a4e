"""Further outputs of one annotation job: other formats of the same documents.

The first output has the folder of the job with the finished blocks. Every other output is put together from the same
blocks, in a folder of its own beside it, because it may be on another drive. Each has the bytes that a job of its own
would have written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from linnet.annotation.output import NAME_ANOTHER, Output, describe_output
from linnet.annotation.provenance import Provenance
from linnet.annotation.work import Work
from linnet.contracts import WriteOptions
from linnet.documents.counted import counted
from linnet.errors import BadSetting
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.files import resolve_path

__all__ = ["OtherOutputs", "describe_outputs"]


@dataclass(frozen=True)
class OtherOutputs:
    """The outputs of a job besides its first one."""

    outputs: tuple[Output, ...] = ()

    @property
    def places(self) -> list[Path]:
        """The files and folders that are written."""
        return [
            each for output in self.outputs for each in (output.path, output.errors, Work.beside(output.path).folder)
        ]

    def describe(self) -> dict[str, str]:
        """Return what a resumed job must have in common with the one that was begun; nothing without other outputs."""
        listed = ", ".join(f"{output.path} ({output.to.name})" for output in self.outputs)
        return {"other outputs": listed} if listed else {}

    def check(self, source: Path) -> None:
        """Refuse outputs that would replace anything but an earlier output."""
        for output in self.outputs:
            output.check(source, Work.beside(output.path).folder)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folders beside the outputs; they are removed in the end."""
        with ExitStack() as stack:
            for output in self.outputs:
                stack.enter_context(Work.beside(output.path).lock())
            yield

    def check_free(self, job: Work, *, resume: bool, overwrite: bool) -> None:
        """Refuse to replace an output, or the interrupted job of one, without being asked to."""
        for output in self.outputs:
            place = Work.beside(output.path)
            if place.is_begun or not (resume and job.is_begun):  # a resumed job may have put it there
                place.check_free(output.path, resume=False, overwrite=overwrite)
            if place.is_begun:
                place.clear()

    def try_out(self) -> None:
        """Write each output without documents, so that problems with the format show before the work."""
        for output in self.outputs:
            output.try_out(Work.beside(output.path).new_stage())

    def put_together(
        self, job: Work, provenance: Provenance, options: WriteOptions
    ) -> list[tuple[Output, Counter[str]]]:
        """Write the outputs from the finished blocks of the job; return the number of things each could not hold."""
        lost: list[tuple[Output, Counter[str]]] = []
        for output in self.outputs:
            stage = Work.beside(output.path).new_stage()
            documents = (document for block in job.blocks() for document in block.documents)
            lost.append((output, output.write(provenance.add(documents, output.to), stage, options)))
            output.put_in_place(stage, job.failures())
        return lost


def describe_outputs(settings: AnnotateSettings) -> tuple[Output, OtherOutputs]:
    """Return the first output and the others.

    Raises:
        UnknownName: where there is no such format.
        BadSetting: where one cannot be written that way, or two of them are in each other's way.
    """
    paths, formats = settings.outputs, settings.target_formats
    if not paths:
        raise BadSetting("there is no output", "name one with `--output`")
    if len(formats) not in (0, len(paths)):
        raise BadSetting(
            f"found {counted(len(formats), 'format')} (`--to`) for {counted(len(paths), 'output')}",
            "give one `--to` for each `--output`, in the same order, or none: then the suffixes decide",
        )
    chosen = formats or (None,) * len(paths)
    outputs = [
        describe_output(Path(path), format=format, shard=settings.shard)
        for path, format in zip(paths, chosen, strict=True)
    ]
    _refuse_overlaps(outputs)
    return outputs[0], OtherOutputs(tuple(outputs[1:]))


def _refuse_overlaps(outputs: Sequence[Output]) -> None:
    places = [(output, resolve_path(output.path)) for output in outputs]
    for number, (output, place) in enumerate(places):
        for other, there in (*places[:number], *places[number + 1 :]):
            if place in (there, *there.parents) or place == Work.beside(there).folder:
                raise BadSetting(f"{other.path}: is, or lies in, another output ({output.path})", NAME_ANOTHER)
