"""Every recipe can be used as it stands, and its first line says how."""

import tomllib
from pathlib import Path

import pytest

from linnet.compare.grid import load_grid
from linnet.compare.verdict import judge
from linnet.contracts import losses, tasks, weighting_schemes
from linnet.metrics.matching import matchings
from linnet.models.aliases import ALIASES
from linnet.settings import TrainSettings, corpora_problems
from linnet.settings_files import load_settings

FOLDER = Path(__file__).resolve().parents[1] / "recipes"
GRIDS = sorted(FOLDER.glob("grid-*.toml"))
RECIPES = sorted(set(FOLDER.glob("*.toml")) - set(GRIDS))
N_RUNS = {"grid-class-weighting": 60, "grid-general-transfer": 36, "grid-small": 9, "grid-welt-paper": 280}
WELT_CORPORA = (  # Mobasher et al. 2023, table 11
    "ncbi-disease bc5cdr-disease bc5cdr-chem bc4chemd bc2gm biored-chem biored-disease linnaeus".split()
)

each_recipe = pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
each_grid = pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)


@each_recipe
def test_a_recipe_loads(path: Path) -> None:
    assert load_settings(TrainSettings, path).output.startswith("runs/")


def test_no_recipe_writes_where_another_one_or_the_demo_does() -> None:
    outputs = [load_settings(TrainSettings, path).output for path in RECIPES]
    outputs += [str(load_grid(path).output) for path in GRIDS]

    assert len(set(outputs)) == len(outputs)
    assert "runs/demo" not in outputs  # the folder of `linnet demo`


@each_recipe
def test_the_first_line_is_the_command_that_uses_the_recipe(path: Path) -> None:
    first = path.read_text(encoding="utf-8").split("\n")[0]

    assert first == f"# linnet train recipes/{path.name}"


@each_recipe
def test_what_a_recipe_names_exists(path: Path) -> None:
    settings = load_settings(TrainSettings, path)

    assert settings.encoder in ALIASES
    assert settings.loss.name in losses.names()
    assert settings.loss.scheme in weighting_schemes.names()
    assert settings.selection.matching in matchings.names()
    assert settings.task in tasks.names()


@each_recipe
def test_a_recipe_says_what_it_is_and_has_a_place_for_its_result(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert "\n# Result:" in text
    assert tomllib.loads(text)["data"] == "demo" or "--data FOLDER" in text
    assert max(map(len, text.split("\n"))) <= 120


def test_every_corpus_of_the_welt_paper_has_a_recipe() -> None:
    found = {path.stem.removeprefix("welt-") for path in RECIPES if path.stem.startswith("welt-")}

    assert found == set(WELT_CORPORA)


def test_jnlpba_is_trained_as_the_model_that_it_follows() -> None:
    settings = load_settings(TrainSettings, FOLDER / "jnlpba-scibert.toml")
    optimiser = settings.optimiser

    # the README of github.com/fran-martinez/bio_ner_bert
    assert (settings.window.max_length, optimiser.epochs, optimiser.dropout) == (128, 6, 0.3)
    assert optimiser.batch_size * optimiser.accumulation == 32
    assert (optimiser.learning_rate, optimiser.warmup) == (5e-5, 0.1)


def test_gerbera_is_trained_as_its_commands_say() -> None:
    settings = load_settings(TrainSettings, FOLDER / "gerbera-ncbi-conll.toml")
    optimiser = settings.optimiser

    # the README of github.com/qingyu-qc/bioner_gerbera
    assert (settings.encoder, settings.seed, settings.window.max_length) == ("biomed-roberta-large", 1, 128)
    assert (optimiser.batch_size, optimiser.learning_rate, optimiser.warmup) == (16, 3e-5, 0.0)
    assert [(stage.corpora, stage.epochs) for stage in settings.stages] == [
        (("ncbi-disease", "conll2003"), 20),
        (("ncbi-disease",), 10),
    ]


@pytest.mark.parametrize("name", ["gerbera-ncbi-conll", "transfer-small"])
def test_the_corpora_of_a_recipe_fit_together(name: str) -> None:
    assert list(corpora_problems(load_settings(TrainSettings, FOLDER / f"{name}.toml"))) == []


def test_all_ways_of_the_transfer_grid_have_as_many_epochs_of_the_target() -> None:
    grid = load_grid(FOLDER / "grid-general-transfer.toml")

    for run in grid.runs:
        settings = run.settings
        assert list(corpora_problems(settings)) == []
        assert sum(stage.epochs or 0 for stage in settings.stages) in (0, settings.optimiser.epochs)


@each_grid
def test_a_grid_asks_for_the_runs_that_it_announces(path: Path) -> None:
    grid = load_grid(path)
    n_runs = len(grid.runs)

    assert n_runs == N_RUNS[path.stem]
    assert str(grid.output) == f"runs/{path.stem}"
    text = path.read_text(encoding="utf-8")
    assert any(said in text for said in (f"{n_runs} runs", f"{n_runs}\n# cells", "nine short runs"))


@each_grid
def test_the_first_line_is_the_command_that_uses_the_grid(path: Path) -> None:
    first = path.read_text(encoding="utf-8").split("\n")[0]

    assert first.startswith(f"# linnet compare recipes/{path.name}")


@each_grid
def test_what_a_grid_names_exists(path: Path) -> None:
    grid = load_grid(path)

    assert grid.metric in matchings.names()
    for run in grid.runs:
        assert run.settings.loss.scheme in weighting_schemes.names()
        assert run.settings.encoder in ALIASES or "/" in run.settings.encoder
        assert run.settings.data == "demo" or run.settings.data.startswith("corpora/")


def test_every_cell_of_the_welt_papers_grid_has_the_papers_figure_beside_it() -> None:
    results = judge(load_grid(FOLDER / "grid-welt-paper.toml"))

    assert len(results.cells) == 280
    assert all(cell.published is not None for cell in results.cells)
    assert {cell.place["corpus"] for cell in results.cells} == set(WELT_CORPORA)
    # table 9: BioBERT on NCBI disease, WeLT
    place = {"corpus": "ncbi-disease", "encoder": "biobert"}
    (cell,) = (cell for cell in results.cells if (cell.place, cell.choice) == (place, {"weighting": "welt"}))
    assert cell.published == 0.8790


@pytest.mark.parametrize("corpus", WELT_CORPORA)
def test_the_welt_papers_grid_trains_as_the_recipe_for_each_corpus_does(corpus: str) -> None:
    recipe = load_settings(TrainSettings, FOLDER / f"welt-{corpus}.toml")
    grid = load_grid(FOLDER / "grid-welt-paper.toml")

    (run,) = (
        run
        for run in grid.runs
        if (run.place["corpus"], run.settings.encoder) == (corpus, recipe.encoder)
        and run.settings.loss.scheme == recipe.loss.scheme
    )

    # the recipes keep Linnet's own attention dropout, the grid has that of the paper's encoders
    optimiser = recipe.optimiser.model_copy(update={"attention_dropout": 0.1})
    assert run.settings == recipe.model_copy(update={"output": run.settings.output, "optimiser": optimiser})
