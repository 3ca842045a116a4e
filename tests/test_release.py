"""The release: one version everywhere, one name of the distribution, and a workflow that stores no secret."""

import re
import tomllib
from pathlib import Path

import yaml

from linnet import __version__
from linnet.extras import DISTRIBUTION
from linnet.models.embedded import REINSTALL
from linnet.training.run_folder import versions

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_packaging_takes_the_version_from_the_package() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert re.findall(r'^__version__ = "(.*?)"', read("src/linnet/__init__.py"), re.M) == [__version__]


def test_runs_name_the_version_whatever_the_distribution_is_called() -> None:
    assert versions()["linnet"] == versions("numpy")["linnet"] == __version__


def test_no_module_asks_for_a_distribution_called_linnet() -> None:
    sources = (ROOT / "src").rglob("*.py")

    assert not [path.name for path in sources if re.search(r'\bversion\("linnet"\)', path.read_text(encoding="utf-8"))]


def test_citation_and_changelog_have_the_version_and_its_date() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    latest = re.search(r"^## \[(.*?)\] - (\S+)$", read("CHANGELOG.md"), re.M)

    assert latest is not None
    assert citation["version"] == latest[1] == __version__
    assert str(citation["date-released"]) == latest[2]


def test_the_citation_has_the_papers_of_the_four_code_bases() -> None:
    papers = yaml.safe_load(read("CITATION.cff"))["references"]

    first_authors = {paper["authors"][0]["family-names"] for paper in papers}
    assert {"Mobasher", "Beltagy", "Naseem", "Yin"} <= first_authors


def test_sections_of_the_changelog_have_the_usual_names() -> None:
    names = set(re.findall(r"^### (.*)$", read("CHANGELOG.md"), re.M))

    assert names <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_name_of_the_distribution_is_the_same_everywhere() -> None:
    name = PROJECT["name"]
    extras = [package for group in PROJECT["optional-dependencies"].values() for package in group]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    wrong = [page.name for page in pages if "pip install 'linnet[" in page.read_text(encoding="utf-8")]
    bare = {page.name for page in pages if "pip install linnet`" in page.read_text(encoding="utf-8")}

    assert name == "linnet-nlp"
    assert name == DISTRIBUTION
    assert REINSTALL.endswith(f"{name}`")
    assert {package.partition("[")[0] for package in extras if package.startswith("linnet")} == {name}
    assert not wrong
    assert bare <= {"RELEASE.md"}  # which tells of the other project


def test_the_workflow_publishes_what_was_tested_and_stores_no_secret() -> None:
    text = read(".github/workflows/release.yml")
    jobs = yaml.safe_load(text)["jobs"]

    assert (jobs["test"]["needs"], jobs["publish"]["needs"]) == ("build", "test")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in text
    assert "password" not in text


def test_forms_for_issues_can_be_read() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))

    assert len(forms) > 2
    assert all(isinstance(yaml.safe_load(form.read_text(encoding="utf-8")), dict) for form in forms)
