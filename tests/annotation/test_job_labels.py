"""Labels that options of a job name: kept ones, and what is refused before the work begins."""

import json
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.annotation import blocks
from linnet.annotation.annotate import annotate_path, collect_settings
from linnet.annotation.estimating.estimate import estimate
from linnet.annotation.job_labels import check_labels
from linnet.annotation.link import link_path
from linnet.annotation.models import locate_model
from linnet.errors import BadFile, BadSetting
from linnet.formats.conversion import convert_path
from linnet.formats.relabelling import parse_label_change
from tests import tiny
from tests.tasks.linking.sources import build

TEXTS = [" ".join(word for word, _ in row) for row in tiny.sentences(6, 5)]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return six documents; blocks have two documents."""
    monkeypatch.setattr(blocks, "MOST_DOCUMENTS", 2)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{json.dumps({'id': str(n), 'text': text})}\n" for n, text in enumerate(TEXTS)))
    return path


def annotate_to(output: Path | tuple[Path, ...], source: Path, **settings: Any) -> Any:
    return annotate_path(source, model=tiny.trained(), output=output, **settings)


def without_makers(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a file without the infons that name the settings."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{**row, "infons": {key: row["infons"][key] for key in row["infons"] if "by" not in key}} for row in rows]


def labels_in(path: Path) -> set[str]:
    return {span["label"] for row in without_makers(path) for span in row.get("spans", [])}


def test_kept_mentions_are_those_that_a_conversion_keeps(tmp_path: Path, source: Path) -> None:
    annotate_to(tmp_path / "all.jsonl", source)
    convert_path(tmp_path / "all.jsonl", tmp_path / "converted.jsonl", labels=parse_label_change(["Disease"], None))

    done = annotate_to(tmp_path / "kept.jsonl", source, keep_labels="Disease")

    assert without_makers(tmp_path / "kept.jsonl") == without_makers(tmp_path / "converted.jsonl")
    assert labels_in(tmp_path / "all.jsonl") == {"Disease", "Chemical"}
    assert labels_in(tmp_path / "kept.jsonl") == {"Disease"}
    assert done.labels.keys() == {"Disease"}
    first = json.loads((tmp_path / "kept.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["infons"]["annotated_by"].endswith("; keep labels Disease")


def test_shards_and_several_outputs_keep_the_same_mentions(tmp_path: Path, source: Path) -> None:
    annotate_to(tmp_path / "one.jsonl", source, keep_labels=["Chemical"])

    annotate_to((tmp_path / "a.jsonl", tmp_path / "b.jsonl"), source, keep_labels=["Chemical"])
    annotate_to(tmp_path / "parts", source, keep_labels=["Chemical"], shard=4)

    whole = (tmp_path / "one.jsonl").read_bytes()
    assert labels_in(tmp_path / "one.jsonl") == {"Chemical"}
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes() == whole
    assert b"".join(each.read_bytes() for each in sorted((tmp_path / "parts").glob("part-*"))) == whole


def test_kept_labels_belong_to_the_identity_of_a_job(tmp_path: Path, source: Path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    output = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        annotate_path(
            source, model=tiny.trained(), output=output, keep_labels=["Disease", "Chemical"], watcher=interrupt
        )

    with pytest.raises(BadFile, match="keep labels was 'Chemical, Disease', is 'Disease'"):
        annotate_to(output, source, keep_labels=["Disease"], resume=True)
    annotate_to(output, source, keep_labels=["Chemical", "Disease"], resume=True)  # in another order
    annotate_to(tmp_path / "whole.jsonl", source, keep_labels="Chemical,Disease")
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_only_kept_mentions_are_linked(tmp_path: Path, source: Path) -> None:
    names = "\n".join(f"x:{n}\t{name}" for n, name in enumerate((*tiny.DISEASES, *tiny.CHEMICALS)))
    place = build(tmp_path, f"id\tname\n{names}\n").folder

    done = annotate_to(tmp_path / "out.jsonl", source, keep_labels="Disease", link=[place])

    assert 0 < done.linked <= done.mentions == done.labels["Disease"]


@pytest.mark.parametrize("is_dry_run", [False, True])
def test_a_label_that_the_model_does_not_find_is_refused_at_once(
    tmp_path: Path, source: Path, is_dry_run: bool
) -> None:
    settings: dict[str, Any] = {
        "model": tiny.trained(),
        "output": tmp_path / "out.jsonl",
        "keep_labels": ["diseases", "Chemical"],
    }

    with pytest.raises(BadSetting, match="--keep-labels names 'diseases', which the job does not find") as refused:
        estimate(collect_settings(source, **settings)) if is_dry_run else annotate_path(source, **settings)

    assert refused.value.remedy == "did you mean 'Disease'? it finds Chemical, Disease"
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]


def test_names_that_are_added_have_their_labels_too(tmp_path: Path) -> None:
    place = build(tmp_path).folder
    added = collect_settings("in", model=tiny.trained(), output="out", also_names=[f"Tumour={place}"])
    alone = collect_settings("in", model=f"vocabulary:{place}", output="out")

    check_labels(locate_model(added.model_copy(update={"keep_labels": ("Tumour", "Disease")})))
    check_labels(alone.model_copy(update={"keep_labels": ("Concept",)}))
    with pytest.raises(BadSetting, match="'Disease'") as refused:
        check_labels(alone.model_copy(update={"keep_labels": ("Disease",)}))

    assert refused.value.remedy == "it finds Concept"


def test_labels_of_the_input_are_known_only_in_the_end(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    spans = [{"start": 0, "end": 6, "label": "A"}, {"start": 7, "end": 13, "label": "B"}]
    source.write_text(json.dumps({"id": "1", "text": "Breast cancer", "spans": spans}), encoding="utf-8")

    done = link_path(
        source, vocabulary=build(tmp_path).folder, output=tmp_path / "out.jsonl", keep_labels=["A", "Other"]
    )

    assert labels_in(tmp_path / "out.jsonl") == {"A"}
    assert done.notes == [
        "mentions of B left out: 1",
        "no mention has the label 'Other' of `--keep-labels`; labels found: A",
    ]


def test_python_takes_the_option(tmp_path: Path, source: Path) -> None:
    done = linnet.annotate(
        source, model=tiny.trained(), output=tmp_path / "out.jsonl", keep_labels=["Disease"], limit=3
    )

    assert done.labels.keys() <= {"Disease"}


@pytest.mark.parametrize("is_dry_run", [False, True])
def test_a_label_of_a_vocabulary_that_the_model_does_not_find_is_refused_at_once(
    tmp_path: Path, source: Path, is_dry_run: bool
) -> None:
    place = build(tmp_path).folder
    link = [f"Chemical={place}", f"disease={place}"]
    settings: dict[str, Any] = {"model": tiny.trained(), "output": tmp_path / "out.jsonl", "link": link}

    with pytest.raises(BadSetting, match="--link names 'disease', which the job does not find") as refused:
        estimate(collect_settings(source, **settings)) if is_dry_run else annotate_path(source, **settings)

    assert refused.value.remedy == "did you mean 'Disease'? it finds Chemical, Disease"
    assert not list(tmp_path.glob("out*"))


def test_a_vocabulary_for_a_label_that_is_left_out_is_refused(tmp_path: Path) -> None:
    settings = collect_settings(
        "in", model=tiny.trained(), output="out", keep_labels=["Disease"], link=["Chemical=demo", "Disease=demo"]
    )

    with pytest.raises(BadSetting, match="--link names 'Chemical', which --keep-labels leaves out"):
        check_labels(settings)


def test_a_vocabulary_for_a_label_of_the_input_is_not_refused(tmp_path: Path) -> None:
    check_labels(collect_settings("in", model="input:", output="out", link=["Anything=demo"]))
    with pytest.raises(BadSetting, match="'Anything', which the job does not find"):
        check_labels(collect_settings("in", model=tiny.trained(), output="out", link=["Anything=demo"]))


def test_what_is_left_out_is_counted_over_all_blocks_also_those_of_before(tmp_path: Path, source: Path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    output = tmp_path / "out.jsonl"
    chosen: dict[str, Any] = {"keep_labels": ["Disease"], "min_score": {"Disease": 0.999999}}
    all_labels = annotate_to(tmp_path / "all.jsonl", source).labels
    with pytest.raises(KeyboardInterrupt):
        annotate_path(source, model=tiny.trained(), output=output, watcher=interrupt, **chosen)

    done = annotate_to(output, source, resume=True, **chosen)

    unsure = all_labels["Disease"] - done.labels["Disease"]
    assert unsure > 0
    assert done.notes[:2] == [
        f"mentions of Disease with less confidence left out: {unsure}",
        f"mentions of Chemical left out: {all_labels['Chemical']}",
    ]
