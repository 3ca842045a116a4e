import json
from pathlib import Path

from tools.site.notebooks import notebook_page


def test_a_notebook_becomes_text_code_and_outputs(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tour\n", "\n", "Text."]},
        {"cell_type": "code", "source": ["print(1)"], "outputs": [{"output_type": "stream", "text": ["1\n"]}]},
        {"cell_type": "code", "source": ["x"], "outputs": [{"data": {"text/plain": ["2"]}}]},
    ]
    path = tmp_path / "tour.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")

    page = notebook_page(path)

    assert page.startswith("# Tour\n\nText.\n\nThis page is the notebook [tour.ipynb]")
    assert "```python\nprint(1)\n```\n\n```text\n1\n```" in page
    assert "```python\nx\n```\n\n```text\n2\n```" in page
