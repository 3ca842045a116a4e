"""The recipes and the grid of the WeLT paper train with the paper's own settings."""

import json
import re
from pathlib import Path

import pytest

from linnet.comparison.grid import load_grid
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.published import published_f1
from linnet.training.options import read_recipe
from tests.cli.running import run

FOLDER = Path(__file__).resolve().parents[1] / "recipes"
GRID = FOLDER / "grid-welt-paper.toml"

# max_seq_length / batch size / epochs, from the README of the folder named-entity-recognition of
# github.com/mobashgr/WeLT; the paper's appendix A sends the reader there
PUBLISHED = """
corpus          biobert    bluebert   pubmedbert  scibert    bioelectra
biored-chem     384/5/20   128/32/30  512/5/30    384/5/20   512/5/100
biored-disease  384/5/20   128/32/30  320/8/10    512/5/30   256/16/13
bc5cdr-chem     320/8/10   256/16/13  512/5/75    320/8/30   384/12/20
bc5cdr-disease  512/5/30   256/16/13  512/5/30    256/16/13  256/16/13
bc4chemd        128/32/30  320/8/80   384/5/20    320/8/30   128/32/30
linnaeus        320/8/10   256/16/20  320/8/20    256/16/13  384/12/10
bc2gm           128/32/30  256/16/40  256/16/30   128/32/30  384/12/10
ncbi-disease    384/5/20   256/16/13  384/5/20    256/16/13  256/16/5
"""
HUB_NAMES = {  # the same README; aliases that stand for exactly these may take their place
    "biobert": ("dmis-lab/biobert-v1.1", "biobert"),
    "bluebert": ("bionlp/bluebert_pubmed_uncased_L-12_H-768_A-12",),
    "pubmedbert": ("microsoft/BiomedNLP-PubMedBERT-base-uncased-abstract",),
    "scibert": ("allenai/scibert_scivocab_uncased", "scibert"),
    "bioelectra": ("kamalkraj/bioelectra-base-discriminator-pubmed", "bioelectra"),
}
(_, *ENCODERS), *ROWS = [line.split() for line in PUBLISHED.strip().split("\n")]
CELLS = {
    (corpus, encoder): tuple(map(int, cell.split("/")))
    for corpus, *cells in ROWS
    for encoder, cell in zip(ENCODERS, cells, strict=True)
}
CORPORA = [corpus for corpus, *_ in ROWS]

SENTENCE = "Ataxia\tB\nis\tO\nrare\tO\n.\tO\n\n"  # bare tags, as in the archives of the corpora
DOCUMENT = {"id": "1", "text": "Aspirin helps.", "spans": [{"start": 0, "end": 7, "label": "ChemicalEntity"}]}


def shape(settings: TrainSettings) -> tuple[int, int, int]:
    return settings.window.max_length, settings.optimiser.batch_size, settings.optimiser.epochs


def write_look_alikes(folder: Path) -> None:
    """Write tiny corpora in the layouts that the recipes name; some come with train and devel joined."""
    for name in CORPORA:
        place = folder / name
        place.mkdir(parents=True)
        for split, n_sentences in (("train", 6), ("devel", 2), ("test", 3)):
            if name.startswith("biored"):
                documents = [json.dumps({**DOCUMENT, "id": f"{split}{n}"}) for n in range(n_sentences)]
                (place / f"{split}.jsonl").write_text("\n".join(documents) + "\n", encoding="utf-8")
            else:
                (place / f"{split}.tsv").write_text(SENTENCE * n_sentences, encoding="utf-8")
    (folder / "bc4chemd" / "train_dev.tsv").write_text(SENTENCE * 8, encoding="utf-8")


def test_every_cell_of_the_grid_has_the_published_length_batch_size_and_epochs() -> None:
    grid = load_grid(GRID)

    found = {(run.place["corpus"], run.place["encoder"]): shape(run.settings) for run in grid.runs}

    assert len(CELLS) == 8 * 5
    assert found == CELLS
    assert len(grid.runs) == len(CELLS) * 7
    for planned in grid.runs:  # the seven weightings of a cell differ in nothing else
        assert shape(planned.settings) == CELLS[planned.place["corpus"], planned.place["encoder"]]


def test_the_encoders_of_the_grid_are_those_of_the_paper() -> None:
    for planned in load_grid(GRID).runs:
        assert planned.settings.encoder in HUB_NAMES[planned.place["encoder"]]


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_recipe_has_the_row_of_biobert_and_says_the_others(corpus: str) -> None:
    path = FOLDER / f"welt-{corpus}.toml"
    text = path.read_text(encoding="utf-8")

    settings = read_recipe(path)

    assert settings.encoder == "biobert"
    assert shape(settings) == CELLS[corpus, "biobert"]
    for encoder, (hub_name, *_) in HUB_NAMES.items():
        (row,) = re.findall(rf"^#   {encoder} +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+)  (\S+)$", text, re.MULTILINE)
        assert tuple(map(int, row[:3])) == CELLS[corpus, encoder]
        for score, scheme in zip(row[3:5], ("none", "welt"), strict=True):
            known = published_f1(corpus=corpus, encoder=encoder, scheme=scheme, beta=None, metric="conll")
            assert known is not None
            assert float(score) == pytest.approx(100 * known.f1)
        assert row[5] == hub_name


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_command_in_a_recipe_sets_the_row_of_another_encoder(corpus: str) -> None:
    text = (FOLDER / f"welt-{corpus}.toml").read_text(encoding="utf-8").replace("\\\n#", "")

    (found,) = re.findall(r"--encoder (\S+) --max-length (\d+) --batch-size (\d+) +--epochs (\d+)", text)

    assert tuple(map(int, found[1:])) == CELLS[corpus, found[0]]


def test_recipes_and_grid_learn_from_train_and_devel_as_the_paper_does() -> None:
    paths = [FOLDER / f"welt-{corpus}.toml" for corpus in CORPORA]

    assert {read_recipe(path).train_on for path in paths} == {"train_dev"}
    assert {planned.settings.train_on for planned in load_grid(GRID).runs} == {"train_dev"}
    for path in (*paths, GRID):
        said = " ".join(path.read_text(encoding="utf-8").replace("\n#", " ").split())
        assert "the last one is kept" in said, path


def test_a_dry_run_of_the_grid_shows_all_cells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_look_alikes(tmp_path)

    done = run(capsys, "compare", GRID, "--dry-run")
    as_json = run(capsys, "compare", GRID, "--dry-run", "--json")

    assert (done.code, as_json.code) == (0, 0)
    assert "280 runs, 280 to make" in done.out
    for (corpus, encoder), cell in CELLS.items():
        assert re.search(rf"^{corpus}, {encoder} +{' +'.join(map(str, cell))}\s*$", done.out, re.MULTILINE)
    found = json.loads(as_json.out)
    assert found["runs"] == 280
    assert len(found["linked"]) == 40
    assert not (tmp_path / "runs").exists()
