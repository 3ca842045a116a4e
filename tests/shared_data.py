"""Where the real corpora lie, which may be used here but not shipped."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.corpora  # `make test` leaves these out; tests/conftest.py skips them without the corpora
