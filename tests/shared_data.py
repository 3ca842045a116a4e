"""Where the real corpora lie, which may be used here but not shipped."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(not (SHARED / "data").is_dir(), reason=f"the corpora in {SHARED} are not here")
