"""Every recipe can be used as it stands, and its first line says how."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from linnet.comparison.grid import load_grid
from linnet.comparison.judging.links import is_linked
from linnet.comparison.verdict import compare_choices
from linnet.contracts import losses, tasks, weighting_schemes
from linnet.corpora.table import known_corpora
from linnet.export.release import ReleaseSettings
from linnet.metrics.mentions.matching import matchings
from linnet.models.aliases import ALIASES
from linnet.pretraining.learning.sizes import SIZES
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.tasks.ner.corpora.checks import corpora_problems
from linnet.tasks.texts.checks import text_problems
from linnet.training.options import read_recipe

FOLDER = Path(__file__).resolve().parents[1] / "recipes"
GRIDS = sorted(FOLDER.glob("grid-*.toml"))
PRETRAININGS = sorted(FOLDER.glob("pretrain-*.toml"))
RELEASES = sorted(FOLDER.glob("release-*.toml"))
RECIPES = sorted(set(FOLDER.glob("*.toml")) - {*GRIDS, *PRETRAININGS, *RELEASES})
N_RUNS = {
    "grid-weighting-study": 120,
    "grid-domain-pretraining": 24,
    "grid-gad-weighting": 9,
    "grid-general-transfer": 36,
    "grid-levers": 54,
    "grid-linking-weighting": 30,
    "grid-pretraining-start": 12,
    "grid-small": 9,
    "grid-welt-paper": 280,
}
OWN_ENCODERS = {read_recipe(path).output for path in RECIPES if path.stem == "bio-start"}  # runs to go on from
WELT_CORPORA = (  # Mobasher et al. 2023, table 11
    "ncbi-disease bc5cdr-disease bc5cdr-chem bc4chemd bc2gm biored-chem biored-disease linnaeus".split()
)

TEXT_SCORES = ("f1", "micro_f1", "macro_f1", "accuracy")  # that a grid about labels may compare
PUBLISHED = {  # length, batch, learning rate, epochs; the headers of the recipes name the sources
    "gad": (128, 32, 2e-5, 3),
    "euadr": (128, 32, 2e-5, 3),
    "chemprot": (256, 32, 3e-5, 10),
    "ddi": (128, 32, 5e-5, 4),
    "hoc": (128, 32, 5e-5, 15),
    "i2b2-2010": (128, 32, 3e-5, 7),
    "medsts": (128, 32, 3e-5, 6),
    "biosses": (512, 16, 1e-5, 30),
    "mednli": (128, 32, 3e-5, 6),
    "pubmedqa": (512, 16, 2e-5, 30),
    "bioasq-4b": (384, 12, 5e-6, 5),
    "bioasq-5b": (384, 12, 5e-6, 5),
    "bioasq-6b": (384, 12, 5e-6, 5),
}

each_recipe = pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
each_grid = pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)
each_pretraining = pytest.mark.parametrize("path", PRETRAININGS, ids=lambda path: path.stem)


@each_recipe
def test_a_recipe_loads(path: Path) -> None:
    assert read_recipe(path).output.startswith("runs/")


def test_no_recipe_writes_where_another_one_or_the_demo_does() -> None:
    outputs = [read_recipe(path).output for path in RECIPES]
    outputs += [str(load_grid(path).output) for path in GRIDS]
    outputs += [load_settings(PretrainSettings, path).output for path in PRETRAININGS]

    assert len(set(outputs)) == len(outputs)
    assert "runs/demo" not in outputs  # the folder of `linnet demo`


@each_recipe
def test_the_first_line_is_the_command_that_uses_the_recipe(path: Path) -> None:
    first = path.read_text(encoding="utf-8").split("\n")[0]

    assert first == f"# linnet train recipes/{path.name}"


@each_recipe
def test_what_a_recipe_names_exists(path: Path) -> None:
    settings: Any = read_recipe(path)

    assert settings.encoder in {*ALIASES, *OWN_ENCODERS}
    assert settings.loss.name in losses.names()
    assert settings.loss.scheme in weighting_schemes.names()
    assert settings.selection.matching in matchings.names()
    assert settings.task in tasks.names()
    corpora = {settings.data, *(corpus.data for corpus in settings.corpora)}
    assert all(data == "demo" or data in known_corpora() or data.startswith("corpora/") for data in corpora)


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
    settings: Any = read_recipe(FOLDER / "jnlpba-scibert.toml")
    optimiser = settings.optimiser

    # the README of github.com/fran-martinez/bio_ner_bert
    assert (settings.window.max_length, optimiser.epochs, optimiser.dropout) == (128, 6, 0.3)
    assert optimiser.batch_size * optimiser.accumulation == 32
    assert (optimiser.learning_rate, optimiser.warmup) == (5e-5, 0.1)


def test_gerbera_is_trained_as_its_commands_say() -> None:
    settings: Any = read_recipe(FOLDER / "gerbera-ncbi-conll.toml")
    optimiser = settings.optimiser

    # the README of github.com/qingyu-qc/bioner_gerbera
    assert (settings.encoder, settings.seed, settings.window.max_length) == ("biomed-roberta-large", 1, 128)
    assert (optimiser.batch_size, optimiser.learning_rate, optimiser.warmup) == (16, 3e-5, 0.0)
    assert [(stage.corpora, stage.epochs) for stage in settings.stages] == [
        (("ncbi-disease", "conll2003"), 20),
        (("ncbi-disease",), 10),
    ]


@pytest.mark.parametrize("name", PUBLISHED)
def test_texts_are_learned_with_the_settings_that_others_published(name: str) -> None:
    settings: Any = read_recipe(FOLDER / f"{name}.toml")
    optimiser = settings.optimiser

    found = (settings.window.max_length, optimiser.batch_size, optimiser.learning_rate, optimiser.epochs)

    assert found == PUBLISHED[name]
    assert settings.text.pooling == ("cls" if settings.task != "answering" else None)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("share-clef", (128, 32, 5e-5, 30)),  # github.com/sy-wada/blue_benchmark_with_transformers, BioBERT
        ("s800", (192, 32, 5e-5, 30)),  # the README of github.com/dmis-lab/biobert-pytorch, and the Trainer's rate
        ("jnlpba-official", (128, 8, 5e-5, 6)),  # the README of github.com/fran-martinez/bio_ner_bert
    ],
)
def test_mentions_are_learned_with_the_settings_that_others_published(
    name: str, published: tuple[int, int, float, int]
) -> None:
    settings: Any = read_recipe(FOLDER / f"{name}.toml")
    optimiser = settings.optimiser

    found = (settings.window.max_length, optimiser.batch_size, optimiser.learning_rate, optimiser.epochs)

    assert found == published


@each_recipe
def test_a_recipe_about_texts_has_only_settings_that_fit(path: Path) -> None:
    settings: Any = read_recipe(path)
    if not hasattr(settings, "text"):
        return
    settings = settings.model_copy(update={"text": settings.text.model_copy(update={"folds": False})})

    assert not list(text_problems(settings))


def test_a_linking_grid_links_with_linkers_that_recipes_train() -> None:
    linkers = {read_recipe(path).output for path in RECIPES if path.stem.startswith("link-")}
    vocabulary = load_grid(FOLDER / "grid-linking-weighting.toml").vocabulary

    assert isinstance(vocabulary, dict)
    assert {place.removeprefix("Disease=") for place in vocabulary.values()} <= linkers


@pytest.mark.parametrize("name", ["gerbera-ncbi-conll", "transfer-small"])
def test_the_corpora_of_a_recipe_fit_together(name: str) -> None:
    settings: Any = read_recipe(FOLDER / f"{name}.toml")

    assert list(corpora_problems(settings)) == []


def test_all_ways_of_the_transfer_grid_have_as_many_epochs_of_the_target() -> None:
    grid = load_grid(FOLDER / "grid-general-transfer.toml")

    for run in grid.runs:
        settings: Any = run.settings
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

    is_of_mentions = all(run.settings.task == "ner" for run in grid.runs)
    assert grid.metric in (matchings.names() if is_of_mentions else TEXT_SCORES) or is_linked(grid.metric)
    for run in grid.runs:
        assert run.settings.loss.scheme in weighting_schemes.names()
        assert run.settings.encoder in ALIASES or "/" in run.settings.encoder
        corpora = {run.settings.data, *(corpus.data for corpus in run.settings.corpora)}
        assert all(data == "demo" or data in known_corpora() or data.startswith("corpora/") for data in corpora)


def test_every_cell_of_the_welt_papers_grid_has_the_papers_figure_beside_it() -> None:
    results = compare_choices(load_grid(FOLDER / "grid-welt-paper.toml"))

    assert len(results.cells) == 280
    assert all(cell.published is not None for cell in results.cells)
    assert {cell.place["corpus"] for cell in results.cells} == set(WELT_CORPORA)
    # table 9: BioBERT on NCBI disease, WeLT
    place = {"corpus": "ncbi-disease", "encoder": "biobert"}
    (cell,) = (cell for cell in results.cells if (cell.place, cell.choice) == (place, {"weighting": "welt"}))
    assert cell.published == 0.8790


@pytest.mark.parametrize("corpus", WELT_CORPORA)
def test_the_welt_papers_grid_trains_as_the_recipe_for_each_corpus_does(corpus: str) -> None:
    recipe = read_recipe(FOLDER / f"welt-{corpus}.toml")
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


@each_pretraining
def test_a_recipe_for_pretraining_loads_and_says_how_it_is_used(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    settings = load_settings(PretrainSettings, path)

    assert text.split("\n")[0] == f"# linnet pretrain recipes/{path.name}"
    assert "\n# Result:" in text
    assert max(map(len, text.split("\n"))) <= 120
    assert settings.output == f"runs/{path.stem}"
    assert settings.encoder in (SIZES if settings.fresh else ALIASES) or "/" in settings.encoder
    assert (FOLDER.parent / settings.texts[0]).exists() or "--texts F" in text


def test_every_version_of_bioalbert_has_a_recipe() -> None:
    # the README of github.com/usmaann/BioALBERT lists eight
    texts = {"pubmed": 1, "pubmed-pmc": 2, "pubmed-mimic": 2, "all": 3}
    for size in ("base", "large"):
        for name, n_texts in texts.items():
            settings = load_settings(PretrainSettings, FOLDER / f"pretrain-bioalbert-{size}-{name}.toml")
            assert size in settings.encoder
            assert len(settings.texts) == n_texts


@pytest.mark.parametrize("path", sorted(FOLDER.glob("pretrain-bioalbert-*.toml")), ids=lambda path: path.stem)
def test_bioalbert_is_pretrained_with_the_defaults_of_the_albert_code(path: Path) -> None:
    settings = load_settings(PretrainSettings, path)
    optimiser, masking, steps = settings.optimiser, settings.masking, settings.budget.steps or 0

    # run_pretraining.py, optimization.py and create_pretraining_data.py of github.com/google-research/albert
    assert (optimiser.name, optimiser.learning_rate, settings.length, steps) == ("lamb", 0.00176, 512, 125_000)
    assert optimiser.batch_size * optimiser.accumulation == 4096
    assert round(optimiser.warmup * steps) == 3125
    assert (optimiser.weight_decay, optimiser.clip) == (0.01, 1.0)
    assert (masking.unit, masking.longest_ngram, masking.rate, masking.sentence_order) == ("ngram", 3, 0.15, True)


def test_the_study_of_minilm_learns_from_no_sentence_that_it_is_judged_on() -> None:
    settings = load_settings(PretrainSettings, FOLDER / "pretrain-minilm-pmc.toml")
    corpora = {Path(text).parent.as_posix() for text in settings.texts} & known_corpora().keys()

    assert len(corpora) == 5
    assert set(settings.cleaning.exclude) == {f"{corpus}:{split}" for corpus in corpora for split in ("devel", "test")}


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: path.stem)
def test_releases_can_be_read_and_say_how_they_are_used(path: Path) -> None:
    settings = load_settings(ReleaseSettings, path)

    assert settings.output == f"src/linnet/embedded/{settings.name}"
    assert f"python -m linnet.export.release recipes/{path.name}" in path.read_text(encoding="utf-8").split("\n")[0]
