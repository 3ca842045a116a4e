"""Keep scores and curves of pretrainings beside kept runs: python keep_pretrainings.py KEPT.json.gz PRETRAINING...

KEPT is a file that `linnet compare GRID --kept KEPT.json.gz` has written. Each PRETRAINING is a folder of `linnet
pretrain`. Neither weights nor texts are kept.
"""

import json
import sys
from pathlib import Path
from typing import Any

from linnet.comparison.kept.archive import read_archive, write_archive


def keep(kept: Path, *pretrainings: Path) -> None:
    archive = read_archive(kept)
    known = archive.more.get("pretrainings", {})
    archive.more["pretrainings"] = known | {folder.name: kept_pretraining(folder) for folder in pretrainings}
    write_archive(kept, archive)
    print(f"{kept}: {len(archive.more['pretrainings'])} pretrainings")


def kept_pretraining(folder: Path) -> dict[str, Any]:
    rows = [json.loads(row) for row in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return {
        "metrics": json.loads((folder / "metrics.json").read_text(encoding="utf-8")),
        "facts": json.loads((folder / "pretraining.json").read_text(encoding="utf-8")),
        "perplexity": [[row["step"], row["perplexity"]] for row in rows if "perplexity" in row],
    }


if __name__ == "__main__":
    keep(*map(Path, sys.argv[1:]))
