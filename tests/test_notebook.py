"""The notebook of the documentation runs from its first cell to its last, offline."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "notebooks" / "tour.ipynb"


def read_notebook() -> Any:  # Any: nbformat has no types
    return nbformat.read(NOTEBOOK, 4)  # type: ignore[no-untyped-call]


def printed(cell: Any) -> str:
    return "".join(output.get("text", "") for output in cell.get("outputs", ()) if output.get("name") == "stdout")


@pytest.mark.site
@pytest.mark.filterwarnings("ignore")  # those of Jupyter are not ours
def test_the_notebook_runs_and_finds_what_it_shows(tmp_path: Path) -> None:
    kept = read_notebook()
    notebook = read_notebook()

    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()

    pairs = list(zip(kept.cells, notebook.cells, strict=True))
    linked = [printed(new) for _, new in pairs if "mesh:D006333" in printed(new)]
    assert linked == [printed(old) for old, _ in pairs if "mesh:D006333" in printed(old)]
    assert len(linked) == 1
    assert "methotrexate" in printed(notebook.cells[-1])


def test_the_notebook_is_kept_with_its_outputs_and_nobody_s_paths() -> None:
    notebook = read_notebook()

    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(printed(cell) for cell in cells[1:])
    assert "/home/" not in NOTEBOOK.read_text(encoding="utf-8")
    assert "/work/" not in NOTEBOOK.read_text(encoding="utf-8")
