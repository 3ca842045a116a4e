"""Check folds for shared texts: three tiny folds, one of which trains on its own test text."""

from pathlib import Path
from tempfile import TemporaryDirectory

from linnet.tasks.texts.reading.fold_folders import fold_folders, fold_overlaps

ROW = "index {number} links @GENE$ and @DISEASE$ .\t{label}\n"

with TemporaryDirectory() as place:
    for fold in (1, 2, 3):
        folder = Path(place) / str(fold)
        folder.mkdir()
        (folder / "test.tsv").write_text(ROW.format(number=fold, label=1), encoding="utf-8")
        others = [ROW.format(number=number, label=number % 2) for number in (4, 5, fold if fold == 2 else 6)]
        (folder / "train.tsv").write_text("".join(others), encoding="utf-8")
    for overlap in fold_overlaps(fold_folders(Path(place))):
        test, other = (Path(where).relative_to(place) for where in (overlap.place, overlap.other))
        print(f"{test}: {overlap.text!r} is also at {other}")
