"""The table names real files: what it says agrees with the corpora that lie beside the project."""

import hashlib
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from linnet.contracts import tasks
from linnet.corpora.listing import markdown_table
from linnet.corpora.table import DOCUMENTS, EXAMPLES, known_corpora
from linnet.reports.corpus_check import check_corpus
from tests.shared_data import SHARED, needs_shared

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(known_corpora())
WELT = "ncbi-disease bc5cdr-chem bc5cdr-disease bc2gm bc4chemd linnaeus biored-chem biored-disease jnlpba".split()
WHOLE_IN_SHARED = """ncbi-disease ncbi-disease-pubtator bc5cdr bc5cdr-chem bc5cdr-disease bc5cdr-pubtator bc2gm linnaeus
    jnlpba wnut2017 gnormplus bioid gad gad-folds chemprot hoc biosses pubmedqa""".split()
PARTLY_IN_SHARED = {"nlm-gene": ["train.PubTator"], "tmvar3": ["train.PubTator"],
                    "biored": ["train.PubTator", "devel.PubTator"]}  # fmt: skip


@cache
def shared_files() -> dict[str, Path]:
    """The files beside the project by SHA-256."""
    folders = [folder for folder in (SHARED / "data").iterdir() if folder.name not in ("text", "vocab")]
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in paths}


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_says_where_the_files_are_or_who_gives_them_out(name: str) -> None:
    corpus = known_corpora()[name]

    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name)
    assert corpus.task in tasks.names()
    assert corpus.what
    assert corpus.licence
    assert re.search(r"\((?:19|20)\d\d\)", corpus.citation)
    is_pinned = bool(
        re.fullmatch(r"[\w.-]+/[\w.-]+", corpus.repository) and re.fullmatch(r"[0-9a-f]{40}", corpus.commit)
    )
    assert [is_pinned, bool(corpus.derived_from), "{folder}" in corpus.by_hand].count(True) == 1
    assert bool(corpus.files) == (not corpus.by_hand)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_has_a_digest_and_a_name_of_its_own(name: str) -> None:
    corpus = known_corpora()[name]

    assert len({file.name for file in corpus.files}) == len(corpus.files)
    for file in corpus.files:
        assert not file.name.startswith("/")
        assert ".." not in file.name
        assert bool(file.path) == (not corpus.derived_from)
        by_sha = bool(re.fullmatch(r"[0-9a-f]{64}", file.sha256)) and (file.bytes or 0) > 0
        assert by_sha != bool(re.fullmatch(r"[0-9a-f]{40}", file.git_blob))


def test_what_is_counted_belongs_to_the_files() -> None:
    for corpus in known_corpora().values():
        is_known_by_git = any(file.git_blob for file in corpus.files)
        assert bool(corpus.splits) or not corpus.files or is_known_by_git
        for counts in corpus.splits.values():
            assert set(counts) <= {"documents", "sentences", "mentions", "examples"}
            assert all(number > 0 for number in counts.values())


def test_the_counts_of_a_corpus_agree_with_what_it_holds() -> None:
    for corpus in known_corpora().values():
        assert corpus.holds in (DOCUMENTS, EXAMPLES)
        for counts in corpus.splits.values():
            assert ("examples" in counts) == (corpus.holds == EXAMPLES), corpus.name
            assert ("mentions" in counts) == corpus.has_mentions, corpus.name


def test_all_corpora_of_a_task_hold_the_same() -> None:
    corpora = known_corpora().values()

    assert len({(corpus.task, corpus.holds) for corpus in corpora}) == len({corpus.task for corpus in corpora})


def test_a_part_is_made_from_a_corpus_with_the_same_files() -> None:
    for corpus in known_corpora().values():
        if corpus.derived_from:
            source = known_corpora()[corpus.derived_from]
            assert [file.name for file in source.files] == [file.name for file in corpus.files]
            assert corpus.keep_labels


def test_the_corpora_of_the_welt_paper_have_names() -> None:
    assert set(WELT) <= known_corpora().keys()


def test_the_page_of_the_documentation_has_the_table_as_it_is() -> None:
    page = (ROOT / "docs" / "corpora.md").read_text(encoding="utf-8")

    # `linnet corpus list --markdown` prints it
    assert f"\n{markdown_table(known_corpora().values())}\n" in page


def test_every_corpus_that_a_recipe_names_is_in_the_table() -> None:
    named = set()
    for path in (ROOT / "recipes").glob("*.toml"):
        data = tomllib.loads(path.read_text(encoding="utf-8")).get("data", [])
        named |= set([data] if isinstance(data, str) else data)
    plain = {name for name in named if "/" not in name} - {"demo"}

    assert plain
    assert plain <= known_corpora().keys()


@needs_shared
@pytest.mark.parametrize("name", WHOLE_IN_SHARED)
def test_files_and_counts_are_those_of_the_corpora_beside_the_project(name: str, tmp_path: Path) -> None:
    corpus = known_corpora()[name]
    for file in corpus.files:
        assert file.sha256 in shared_files(), file.name
        (tmp_path / file.name).parent.mkdir(exist_ok=True)
        (tmp_path / file.name).symlink_to(shared_files()[file.sha256])

    checked = check_corpus(name, tmp_path)

    assert checked.problems == []
    assert set(checked.splits) == set(corpus.splits)


@needs_shared
@pytest.mark.parametrize("name", PARTLY_IN_SHARED)
def test_files_that_lie_beside_the_project_in_part_are_the_same(name: str) -> None:
    digests = {file.name: file.sha256 for file in known_corpora()[name].files}

    for file in PARTLY_IN_SHARED[name]:
        assert digests[file] in shared_files()


@needs_shared
@pytest.mark.parametrize("name", ["biored-chem", "biored-disease"])
def test_a_part_of_biored_is_what_the_table_says(name: str, tmp_path: Path) -> None:
    from linnet.corpora.derived import write_derived
    from linnet.corpora.digests import state_of

    corpus = known_corpora()[name]
    for file in corpus.files[:2]:  # the test split is not beside the project
        source = next(each for each in known_corpora()["biored"].files if each.name == file.name)
        write_derived(shared_files()[source.sha256], tmp_path / file.name, corpus.keep_labels)

        assert state_of(tmp_path / file.name, file).ok
