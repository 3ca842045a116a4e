"""The command of the campaign: `python -m tests.campaign --seed 1 --minutes 10`."""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.campaign import commands, faults, jobs, kills, models, readers
from tests.campaign.forks import preload
from tests.campaign.results import Campaign, Tally, format_table, read_case
from tests.campaign.workshop import Workshop, build_workshop

__all__ = ["main"]

SHARES = {"readers": 30, "models": 15, "commands": 20, "kills": 25, "jobs": 4, "faults": 6}  # of the time
NEED_MODELS = ("commands", "kills", "jobs", "faults")


def main(given: Sequence[str] | None = None) -> int:
    """Run the parts that were asked for, print the table, and return 1 if there are defects."""
    options = _parse(given)
    work = Path(tempfile.mkdtemp(prefix="linnet-campaign-"))
    keep = options.keep or Path(tempfile.mkdtemp(prefix="linnet-defects-"))
    limits = {part: number for part in SHARES if (number := getattr(options, part)) is not None}
    campaign = Campaign(seed=options.seed, keep=keep, work=work, limits=limits, workers=options.workers)
    try:
        if options.repeat:
            return _repeat(campaign, options.repeat)
        tallies = _run_parts(campaign, options.only, options.minutes * 60)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    n_defects = sum(tally.defects for tally in tallies.values())
    _print(f"\nseed {options.seed}\n{format_table(tallies)}")
    if n_defects:
        _print(f"reproducers: {keep}; `python -m tests.campaign --repeat {keep}/NAME` repeats one")
    return int(n_defects > 0)


def _parse(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    parser.add_argument("--minutes", type=float, default=10.0, help="time for all parts together")
    parser.add_argument("--only", type=_part_names, default=tuple(SHARES), help=f"parts: {','.join(SHARES)}")
    parser.add_argument("--keep", type=Path, help="folder for reproducers of defects; a new one if not given")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--repeat", type=Path, help="repeat a kept case: its folder, or its case.json")
    for part in SHARES:
        parser.add_argument(f"--{part}", type=int, metavar="N", help=f"at most this number of {part}")
    return parser.parse_args(given)


def _part_names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in SHARES]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}; there are {', '.join(SHARES)}")
    return names


def _run_parts(campaign: Campaign, only: Sequence[str], seconds: float) -> dict[str, Tally]:
    """Run the parts one after the other; time that one does not use is left to the next."""
    ends = time.monotonic() + seconds
    waiting = [part for part in SHARES if part in only]
    shop: Workshop | None = None
    if set(only) - {"readers"}:
        preload()
    tallies: dict[str, Tally] = {}
    while waiting:
        part = waiting[0]
        if part in NEED_MODELS and shop is None:
            shop = build_workshop(campaign.work / "shop")
        left = max(0.0, ends - time.monotonic())
        campaign.ends = time.monotonic() + left * SHARES[part] / sum(SHARES[each] for each in waiting)
        tallies[part] = _runner(part, shop)(campaign)
        if not tallies[part].tried:
            tallies[part].notes.append("NOTHING WAS TRIED, so nothing is known; give more time (--minutes)")
        _print(format_table({part: tallies[part]}))
        waiting.pop(0)
    return tallies


def _runner(part: str, shop: Workshop | None) -> Callable[[Campaign], Tally]:
    if part == "readers":
        return readers.run
    if part == "models":
        return models.run
    modules = {"commands": commands.run, "kills": kills.run, "jobs": jobs.run, "faults": faults.run}
    assert shop is not None
    return lambda campaign: modules[part](campaign, shop)


def _repeat(campaign: Campaign, path: Path) -> int:
    """Repeat a kept case and print what happens."""
    case, folder = read_case(path)
    campaign.seed, part = case["seed"], case["part"]
    if part == "readers":
        _print(readers.repeat(case, folder, campaign.work))
        return 0
    preload()
    if part == "models":
        _print(models.repeat(case, folder, campaign.work))
        return 0
    again = {"commands": commands.repeat, "kills": kills.repeat, "jobs": jobs.repeat, "faults": faults.repeat}
    _print(again[part](case, campaign, build_workshop(campaign.work / "shop")))
    return 0


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
