"""Compares finished runs or prediction files without a grid: the steps of `linnet compare-runs`.

Each is compared with the first by the paired test of grids (`docs/comparing-method.md`), with one run of each: the test
covers the variation over test sentences, not the variation over seeds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.comparison.arrangement import arrange, interval_text, p_text, percent, points
from linnet.comparison.differences import Difference, compare_family
from linnet.comparison.finished.sources import ComparedRuns, name_runs, read_files, read_runs, run_folder_of
from linnet.comparison.outcomes import PlaceOutcomes
from linnet.comparison.results import Cell, Comparison, DrawnUnits, Labels, Pair, Results, title_of
from linnet.contracts import Notes, ReadOptions, Table
from linnet.errors import BadSetting
from linnet.metrics.mentions.shared_labels import FILES, parse_map
from linnet.metrics.statistics.hierarchical import paired_difference
from linnet.reports.review import ReviewedSentence
from linnet.settings.differences import value_text
from linnet.settings.label_lists import parse_labels
from linnet.storage.files import resolve_path

__all__ = ["as_dict", "compare_runs", "result_tables"]

AXIS = "run"
SETTINGS = "settings that differ"
ON_DEVEL = (
    "compared on devel, which chose the epoch of every run: good for choosing a run; report the score of the chosen "
    "one on test, once"
)
ONLY_RUN = 1  # stands for the seed of the only run of each
CAUTION = "; one run of each, so nothing is known about other seeds"
CAUTION_OF_FILES = "; one file of each, so nothing is known about another training, or another pass of a person"


def compare_runs(  # noqa: PLR0913 — each is an option of the command
    paths: Sequence[Path], *, gold: Path | None = None, format: str | None = None, options: ReadOptions | None = None,
    metric: str | None = None, n_resamples: int = 4000, seed: int = 0, notes: Notes | None = None,
    map: Mapping[str, str] | Sequence[str] | None = None, keep_labels: Sequence[str] | None = None,
    documents: Path | None = None, common_documents: bool = False, on: str | None = None,
) -> Results:  # fmt: skip
    """Return the scores of runs or prediction files, each compared with the first.

    Args:
        paths: run folders, or files with predictions, two or more.
        gold: file with the gold annotations; not needed for runs and for files with gold and predicted tags.
        format: of the files; detected if not given.
        options: how files are read.
        metric: a matching, or a score of the runs' task.
        n_resamples: how often the test units are drawn.
        seed: of these draws.
        notes: receives what was repaired or left out in reading.
        documents: file that says which sentences are one document, where the runs or files do not.
        map: label of gold by that of the files, where only labels that both have are to be compared.
        keep_labels: the labels of gold that are compared; all if not given.
        common_documents: compare the documents that all files have, and note the others.
        on: split of the runs, `test` or `devel`; test if not given.

    Raises:
        LinnetError: for fewer than two, runs of several tasks, what was scored on other gold, and files without a label
            of gold.
    """
    folders = [run_folder_of(path) for path in paths]
    are_runs = gold is None and all(folders)
    places = [folder for folder in folders if folder] if are_runs else list(paths)
    _check_several(places)
    _check_split(on, paths, gold)
    if are_runs and map is not None:
        raise BadSetting("--map is for prediction files, these are runs", "leave it out, or give files and `--gold`")
    for option, is_given in (("--keep-labels", keep_labels is not None), ("--common-documents", common_documents)):
        if are_runs and is_given:
            raise BadSetting(f"{option} is for prediction files, these are runs", "give files, or leave it out")
    if are_runs:
        found = read_runs(
            places, metric=metric, n_resamples=n_resamples, seed=seed, documents=documents, split=on or "test"
        )
    else:
        found = read_files(
            places, gold=gold, format=format, options=options or ReadOptions(), metric=metric,
            n_resamples=n_resamples, seed=seed, notes=notes if notes is not None else Notes(),
            map=map if map is None or isinstance(map, Mapping) else parse_map(map, FILES), documents=documents,
            keep_labels=None if keep_labels is None else parse_labels(keep_labels),
            common_documents=common_documents,
        )  # fmt: skip
    details = {AXIS: ", ".join(str(path) for path in paths), **({} if gold is None else {"gold": str(gold)})}
    details |= {"labels": "; ".join(found.warnings)} if found.warnings else {}
    details |= {SETTINGS: "; ".join(_settings_texts(found.settings))} if found.settings else {}
    details |= {"resamples": f"{n_resamples:,} draws of the test units", "version": f"Linnet {__version__}"}
    caution = CAUTION if are_runs else CAUTION_OF_FILES
    return _compare(found, [{AXIS: name} for name in name_runs(places)], details, caution, split=on or "test")


def result_tables(results: Results) -> list[Table]:
    """Return the scores with the differences from the first run, the agreement with it, and differences of settings."""
    arrangement = arrange(results)
    (place,) = arrangement.places
    rows = [_score_row(cell, arrangement.comparison(place, cell.choice), results.beside) for cell in results.cells]
    baseline = title_of(results.baseline)
    scores = Table(
        title=f"{title_of(place)}: {results.metric} in percent, change against {baseline}"
        + (f"; {drawn}" if (drawn := results.drawn_at(place)) else ""),
        columns=(AXIS, results.metric, *results.beside, "change", "95 % interval", "Holm p", "verdict"),
        rows=tuple(rows),
    )
    agreement = Table(
        title="sentences or texts that are wholly right",
        columns=(AXIS, "both", f"only {baseline}", "only this run", "neither"),
        rows=tuple((title_of(pair.choice), *(f"{count:,.0f}" for count in _counts(pair))) for pair in results.pairs),
    )
    settings = Table(
        title=SETTINGS,
        columns=("setting", *(title_of(cell.choice) for cell in results.cells)),
        rows=tuple((name, *map(value_text, values)) for name, values in results.settings.items()),
    )
    return [scores, agreement, settings] if results.settings else [scores, agreement]


def as_dict(results: Results) -> dict[str, Any]:
    """Return plain values for JSON: scores of each run, comparisons with the first, and agreement."""
    place = results.cells[0].place
    return {
        "metric": results.metric,
        "split": results.split,
        "test_set": title_of(place),
        "baseline": title_of(results.baseline),
        "units": results.drawn[0].name if results.drawn else None,
        "n_units": results.drawn[0].number if results.drawn else None,
        "runs": [
            {
                "name": title_of(cell.choice),
                "score": cell.mean,
                **{name: cell.mean_of(name) for name in results.beside},
                "labels": dict(cell.label_scores),
            }
            for cell in results.cells
        ],
        "settings": {
            name: {title_of(cell.choice): value for cell, value in zip(results.cells, values, strict=True)}
            for name, values in results.settings.items()
        },
        "comparisons": [
            _comparison_dict(comparison, pair)
            for comparison, pair in zip(results.comparisons, results.pairs, strict=True)
        ],
    }


def _check_several(places: Sequence[Path]) -> None:
    if len(places) < 2:
        raise BadSetting(f"only {places[0]} is given", "give two or more runs, or two or more prediction files")
    for number, place in enumerate(places):
        if resolve_path(place) in map(resolve_path, places[:number]):
            raise BadSetting(f"{place} is given twice", "give each run once")


def _check_split(on: str | None, paths: Sequence[Path], gold: Path | None) -> None:
    """Refuse a split that does not exist, and one beside files, whose predictions are for one split already."""
    if on not in (None, "test", "devel"):
        raise BadSetting(f"--on {on}: there is no such split", "give `test` or `devel`")
    files = [path for path in paths if path.is_file()]
    if on is not None and (files or gold):
        raise BadSetting(
            f"--on {on} is for run folders, which keep predictions for test and devel; "
            + (f"{files[0]} is a file" if files else "with `--gold`, files are compared"),
            "give run folders alone, or leave `--on` out and give files with predictions for that split",
        )


def _compare(found: ComparedRuns, choices: Sequence[Labels], details: Labels, caution: str, *, split: str) -> Results:
    place, baseline, others = {f"{split} set": found.corpus}, choices[0], choices[1:]
    on = "" if split == "test" else f" on {split}"
    runs = {(title_of(choice),): run for choice, run in zip(choices, found.outcomes.runs, strict=True)}
    outcomes = PlaceOutcomes({(name, ONLY_RUN): run for name, run in runs.items()}, found.outcomes)
    differences, pairs = [], []
    units = found.outcomes.units
    drawn = (DrawnUnits(place, units, found.outcomes.n_units),) if units else ()
    for number, choice in enumerate(others, 1):
        paired, agreement = outcomes.pair(baseline, choice), outcomes.agreement(place, baseline, choice)
        assert paired is not None  # all have the same seed
        assert agreement is not None
        n_units, effective = outcomes.n_units, outcomes.effective_units
        test = paired_difference(*paired[1], n_units=n_units, effective_units=effective)
        differences.append(Difference(place, choice, test))
        pairs.append(_with_sentences(agreement, found.sentences, number))
    return Results(
        name=" and ".join(map(title_of, choices)) if len(choices) == 2 else f"{len(choices)} runs",
        metric=found.metric + on,
        baseline=baseline,
        place_axes=tuple(place),
        choice_axes=(AXIS,),
        size_axis=None,
        seeds=(),
        cells=tuple(_cell(place, choice, outcomes, choice == baseline) for choice in choices),
        comparisons=tuple(compare_family(baseline, differences, caution=lambda _: caution, split=split)),
        pairs=tuple(pairs),
        details=details,
        split=split,
        settings=found.settings,
        notes=(ON_DEVEL,) if split == "devel" else (),
        drawn=drawn,
        sentences={title_of(choice): each for choice, each in zip(choices, found.sentences, strict=False)},
    )


def _settings_texts(settings: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield each setting with its values, for the small print of the page."""
    for name, values in settings.items():
        yield f"{name} {' | '.join(map(value_text, values))}"


def _with_sentences(pair: Pair, sentences: Sequence[Sequence[ReviewedSentence]], number: int) -> Pair:
    """Return the pair with its disagreements as the files of the baseline and of this run have them, if known."""
    if not sentences:
        return pair
    first, second = sentences[0], sentences[number]
    return replace(
        pair,
        sentences=tuple(replace(each, reviewed=(first[each.number], second[each.number])) for each in pair.sentences),
    )


def _cell(place: Labels, choice: Labels, outcomes: PlaceOutcomes, is_baseline: bool) -> Cell:
    return Cell(
        place=place,
        choice=choice,
        is_baseline=is_baseline,
        score_by_seed=outcomes.scores_by_seed(choice),
        label_scores=outcomes.label_scores(choice),
        commands=(),
        beside=outcomes.beside_by_seed(choice),
    )


def _score_row(cell: Cell, comparison: Comparison | None, beside: Sequence[str]) -> tuple[str, ...]:
    scores = (title_of(cell.choice), percent(cell.mean), *(percent(cell.mean_of(name)) for name in beside))
    if comparison is None:
        return (*scores, "", "", "", "baseline")
    interval = interval_text(comparison)
    return (*scores, points(comparison.difference), interval, p_text(comparison.adjusted_p), comparison.verdict)


def _counts(pair: Pair) -> tuple[float, ...]:
    return pair.both_right, pair.only_baseline_right, pair.only_choice_right, pair.both_wrong


def _comparison_dict(comparison: Comparison, pair: Pair) -> dict[str, Any]:
    names = ("both_right", "only_baseline_right", "only_run_right", "both_wrong")
    return {
        "run": title_of(comparison.choice),
        "difference": comparison.difference,
        "low": comparison.low,
        "high": comparison.high,
        "p_value": comparison.p_value,
        "adjusted_p": comparison.adjusted_p,
        "verdict": comparison.verdict,
        "sentence": comparison.sentence,
        "agreement": {name: round(count) for name, count in zip(names, _counts(pair), strict=True)},
    }
