"""Corpora that cannot be had here are read in the form in which they are published, by their recipes: look-alikes.

The forms were read in the programs that make them: BLUE_Benchmark (`blue/bert`), biobert-pytorch
(`named-entity-recognition/preprocess.sh`), spyysalo/s800 (`tools`), and the scorer of JNLPBA.
"""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import tasks
from linnet.tasks.ner.corpora.sources import Source, read_sources
from linnet.tasks.texts.reading.sources import TextSource, read_text_source
from linnet.tasks.texts.task import TextTask
from linnet.training.options import read_recipe

RECIPES = Path(__file__).resolve().parents[1] / "recipes"


def files(folder: Path, **contents: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return folder


def settings_of(recipe: str, data: Path) -> Any:
    return read_recipe(RECIPES / f"{recipe}.toml", data=str(data))


def texts(recipe: str, data: Path) -> TextSource:
    settings = settings_of(recipe, data)
    task = tasks.get(settings.task)
    assert isinstance(task, TextTask)
    return read_text_source(settings, task)


def mentions(recipe: str, data: Path) -> Source:
    (source,), problems = read_sources(settings_of(recipe, data))
    assert problems == []
    return source


def blue_table(*rows: tuple[object, ...]) -> str:
    """Return a table as BLUE's programs write it."""
    file = io.StringIO()
    csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)
    return file.getvalue()


def test_i2b2_2010_has_pairs_with_two_relations(tmp_path: Path) -> None:
    header = ("index", "sentence", "label")
    pair = ("0018.0018.con.l3.0018.con.l4", 'the " @treatment$ " for @problem$ helped .')
    rows = [header, (*pair, "TrAP"), (*pair, "TrIP"), ("0018.0018.con.l3.0018.con.l5", "@test-problem$ .", "false")]
    table = blue_table(*rows)
    folder = files(tmp_path, train__tsv=table, dev__tsv=table, test__tsv=table)
    (folder / "train-beth.tsv").write_text(table, encoding="utf-8")

    source = texts("i2b2-2010", folder)

    assert [example.gold for example in source.training] == [("TrAP", "TrIP"), ()]
    assert source.training[0].first == pair[1]  # without the quotes that the table has around it
    assert (source.kind.name, source.labels) == ("labels", ("TrAP", "TrIP"))


def test_ddi_has_placeholders_in_lower_case(tmp_path: Path) -> None:
    rows = [
        ("index", "sentence", "label"),
        ("DDI-DrugBank.d1.s1.p0", "@drug$ raises the level of @brand$ .", "DDI-mechanism"),
        ("DDI-DrugBank.d1.s1.p1", '@drug$ is no " @drug_n$ " .', "DDI-false"),
    ]
    table = blue_table(*rows)

    source = texts("ddi", files(tmp_path, train__tsv=table, dev__tsv=table, test__tsv=table))

    assert [len(example.spans) for example in source.training] == [2, 2]
    assert source.training[1].first == '@drug$ is no " @drug_n$ " .'


@pytest.mark.parametrize(
    "rows",
    [
        "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore\n"
        "0\tc\tf\t2018\t1\ts\ts\tTake one .\tTake two .\t2.5\n1\tc\tf\t2018\t2\ts\ts\tStop .\tStop it .\t4.5\n",
        "Take one .\tTake two .\t2.5\nStop .\tStop it .\t4.5\n",
    ],
    ids=["BLUE", "shared task"],
)
def test_medsts_is_read_with_and_without_a_header(tmp_path: Path, rows: str) -> None:
    source = texts("medsts", files(tmp_path, train__tsv=rows, dev__tsv=rows, test__tsv=rows))

    assert [(each.first, each.second, each.gold) for each in source.training] == [
        ("Take one .", "Take two .", 2.5),
        ("Stop .", "Stop it .", 4.5),
    ]


def test_share_clef_has_mentions_in_pieces_and_quoted_quotes(tmp_path: Path) -> None:
    # the sentence that the README of sy-wada/blue_benchmark_with_transformers shows, and a quotation mark
    rows = blue_table(
        ("The", "00176-102920-ECHO_REPORT", 426, "O"),
        ("left", "-", 430, "B"),
        ("atrium", "-", 435, "I"),
        ("is", "-", 442, "O"),
        ('"', "-", 444, "O"),
        ("dilated", "-", 456, "I"),
        (".", "-", 463, "O"),
    )
    folder = files(tmp_path, Training__tsv=rows, Development__tsv=rows, Test__tsv=rows)

    source = mentions("share-clef", folder)

    assert source.training.rows[0].words == ["The", "left", "atrium", "is", '"', "dilated", "."]
    assert source.training.rows[0].tags == ["O", "B-Disorder", "I-Disorder", "O", "O", "B-Disorder", "O"]
    assert any("conlleval" in note for note in source.training.notes.counts)
    assert set(source.scored) == {"devel", "test"}


def test_s800_is_read_as_the_preprocessing_script_of_biobert_leaves_it(tmp_path: Path) -> None:
    rows = "Bacillus\tB\ncereus\tI\ngrew\tO\n"
    contents = {f"{name}__tsv": rows for name in ("train", "devel", "test")} | {"train_dev__tsv": rows + "\n" + rows}
    spaced = {name.replace("tsv", "txt"): content.replace("\t", " ") for name, content in contents.items()}
    temporary = {f"{name}__tmp": content for name, content in spaced.items()}
    folder = files(tmp_path, **contents, **spaced, **temporary, labels__txt="B\nI\nO\n")

    source = mentions("s800", folder)

    assert len(source.training.rows) == 2  # of train_dev
    assert source.training.rows[0].tags == ["B-Species", "I-Species", "O"]
    assert sum(source.training.notes.counts.values()) == 4 + 5


def test_s800_is_read_as_brat_files(tmp_path: Path) -> None:
    for split in ("train", "devel", "test"):
        annotations = "T1\tSpecies 0 15\tBacillus cereus\nN1\tReference T1 Taxonomy:1396\n"
        files(tmp_path / split, **{"20139281__txt": "Bacillus cereus grew.\n", "20139281__ann": annotations})

    source = mentions("s800", tmp_path)

    assert len(source.training.rows) == 2  # train and devel
    assert source.training.rows[0].tags[:3] == ["B-Species", "I-Species", "O"]


def test_jnlpba_is_read_from_the_files_of_the_shared_task(tmp_path: Path) -> None:
    rows = (
        "###MEDLINE:95369245\n\nIL-2\tB-DNA\ngene\tI-DNA\n\nIt\tO\n\n"
        "###MEDLINE:97218353\n\nT\tB-cell_type\ncells\tI-cell_type\n\n"
    )
    folder = files(tmp_path, Genia4ERtask1__iob2=rows, Genia4ERtask2__iob2=rows, Genia4EReval2__iob2=rows)

    source = mentions("jnlpba-official", folder)

    assert [row.document for row in source.training.rows] == ["95369245", "95369245", "97218353"]
    assert source.labels == {"DNA", "cell_type"}
    assert list(source.scored) == ["test"]
