from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from transformers import AutoModel

from linnet.errors import BadFile, BadSetting
from linnet.models.encoders import find_encoder, open_network
from linnet.models.published.hub import is_hub_name, locate_files
from tests.models.published.look_alikes import Hub, as_torch_file, encoder_copy, look_alike
from tests.models.published.test_standard_form import hidden_states

pytestmark = pytest.mark.long

NAME = "dmis-lab/biobert-v1.1"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache of the hub's client, and no encoder that an earlier test has opened."""
    place = tmp_path / "hub-cache"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(place))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    find_encoder.cache_clear()
    yield place
    find_encoder.cache_clear()


def use(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", address)
    template = f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"  # made from the address on import
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)


def test_offline_after_online_gives_the_same_bytes(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub({NAME: look_alike(tmp_path / "biobert", "biobert")})
    with hub.running() as address:
        use(monkeypatch, address)
        online = find_encoder(NAME)
    find_encoder.cache_clear()

    offline = find_encoder(NAME)

    assert offline.revision == online.revision == hub.commit(NAME)
    assert offline.source == online.source
    assert offline.origin == online.origin
    assert torch.equal(hidden_states(online), hidden_states(offline))


def test_a_copy_in_the_cache_is_made_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub({NAME: look_alike(tmp_path / "scibert", "scibert-cased")})
    with hub.running() as address:
        use(monkeypatch, address)
        first = Path(find_encoder(NAME).source) / "model.safetensors"
        written = first.stat().st_mtime_ns
        find_encoder.cache_clear()
        again = Path(find_encoder(NAME).source) / "model.safetensors"

    assert (again, again.stat().st_mtime_ns) == (first, written)


def test_safetensors_are_taken_where_both_are_published(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = encoder_copy(tmp_path / "both")
    (folder / "pytorch_model.bin").write_bytes(b"never looked at")
    hub = Hub({NAME: folder})

    with hub.running() as address:
        use(monkeypatch, address)
        found = locate_files(NAME)

    assert (found.folder / "model.safetensors").is_file()
    assert not any("pytorch_model.bin" in asked for asked in hub.asked)


def test_an_open_pull_request_is_never_used(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = as_torch_file(encoder_copy(tmp_path / "own"))
    hub = Hub({NAME: own, f"{NAME}@refs/pr/1": encoder_copy(tmp_path / "somebody")})

    with hub.running() as address:
        use(monkeypatch, address)
        found = find_encoder(NAME)
        open_network(found, AutoModel)

    assert found.revision == hub.commit(NAME)
    assert not any("refs/pr" in asked for asked in hub.asked)


def test_a_revision_can_be_named(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub({NAME: encoder_copy(tmp_path / "new"), f"{NAME}@v1": as_torch_file(encoder_copy(tmp_path / "old"))})

    with hub.running() as address:
        use(monkeypatch, address)
        found = locate_files(f"{NAME}@v1")

    assert (found.hub_name, found.revision) == (NAME, hub.commit(f"{NAME}@v1"))


def test_weights_of_other_frameworks_are_refused_by_name(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = encoder_copy(tmp_path / "tf")
    (folder / "model.safetensors").rename(folder / "tf_model.h5")

    with Hub({NAME: folder}).running() as address:
        use(monkeypatch, address)
        with pytest.raises(BadFile, match=r"only tf_model\.h5"):
            locate_files(NAME)


def test_a_name_that_the_hub_does_not_know_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Hub({}).running() as address:
        use(monkeypatch, address)
        with pytest.raises(BadSetting, match="could not be fetched"):
            locate_files(NAME)


def test_a_cache_with_everything_but_the_weights_says_so(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub({NAME: encoder_copy(tmp_path / "encoder")})
    with hub.running() as address:
        use(monkeypatch, address)
        folder = locate_files(NAME).folder
    (folder / "model.safetensors").unlink()

    with pytest.raises(BadSetting, match="without its weights") as refused:
        locate_files(NAME)

    assert f"hf download {NAME}" in refused.value.remedy


def test_an_archive_is_to_be_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "RoBERTa-large-PM-M3-Voc-hf.tar.gz"
    path.write_bytes(b"")

    with pytest.raises(BadFile, match="this is an archive") as refused:
        locate_files(str(path))

    assert "unpack it" in refused.value.remedy


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bert-base-cased", True),
        (NAME, True),
        (f"{NAME}@main", True),
        ("../x", False),
        ("a/b/c", False),
        ("a b", False),
    ],
)
def test_hub_names_are_told_from_paths(name: str, expected: bool) -> None:
    assert is_hub_name(name) is expected
