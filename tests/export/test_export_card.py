"""The card of an export says what it is and how it differs, and takes over that of the original."""

from pathlib import Path

import pytest

from linnet.export.export_card import write_export_card
from linnet.models.model_folder import OnnxFacts
from linnet.tasks.ner.exporting import TagParity

OWN = """---
library_name: transformers
language:
- en
---

# run

Marks Disease.

## How to use it

    linnet annotate a --model run --output b

With transformers alone:

```python
# opens the weights
AutoModel.from_pretrained("run")
```

## Data

ncbi-disease

## Training

3 epochs; seed 1. `report.md` and `training.png` show how it went.

## How to repeat it

```bash
cd /home/someone/work
linnet train run/recipe.toml
```
"""


@pytest.mark.parametrize("int8", [True, False])
def test_the_card_of_the_original_follows_without_what_an_export_cannot_do(tmp_path: Path, *, int8: bool) -> None:
    source, target = tmp_path / "run", tmp_path / "fast"
    source.mkdir()
    target.mkdir()
    (source / "README.md").write_text(OWN, encoding="utf-8")
    parity = TagParity(n_sentences=2, words=10, equal_words=9, largest_difference=0.5)

    write_export_card(target, source, OnnxFacts(int8, 20, "a", "b", "0.2.0"), parity, name="fast")

    card = (target / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlibrary_name: onnx\nlanguage:\n- en\n---\n\n# fast\n")
    assert ("8-bit" in card) == int8
    assert "- same tag for 9 of 10 words" in card
    assert card.endswith("## The card of `run`\n\nMarks Disease.\n\n### How to use it\n\n    linnet annotate a "
                         "--model fast --output b\n\n### Data\n\nncbi-disease\n\n### Training\n\n3 epochs; seed 1.\n\n"
                         "### How to repeat it\n\n```bash\nlinnet train run/recipe.toml\n```\n")  # fmt: skip


def test_an_original_without_a_card_has_an_export_with_one(tmp_path: Path) -> None:
    parity = TagParity(n_sentences=1, words=1, equal_words=1, largest_difference=0.0)

    write_export_card(tmp_path, tmp_path / "run", OnnxFacts(False, 20, "a", "b", "0.2.0"), parity, name="fast")

    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert card.startswith("# fast\n\nThe model `run`, exported by Linnet 0.2.0 as ONNX. It runs on CPUs")
    assert "card of" not in card
