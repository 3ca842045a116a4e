"""Arrays and texts in files."""

from pathlib import Path

import numpy as np
import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.arrays import Texts, map_array, pack_texts, save_arrays, smallest_type


def test_texts_come_back_and_are_found() -> None:
    words = sorted(["mesh:D1", "", "omim:2", "β"], key=str.encode)

    texts = Texts(*pack_texts(words))

    assert [texts[place] for place in range(len(texts))] == words
    assert [texts.find(word) for word in words] == [0, 1, 2, 3]
    assert texts.find("mesh:D") is None
    assert texts.find("γ") is None


def test_arrays_come_back_mapped_also_empty_ones(tmp_path: Path) -> None:
    save_arrays(tmp_path, {"full": np.arange(5, dtype=np.uint16), "empty": np.zeros(0, np.int32)})

    assert map_array(tmp_path, "full").tolist() == [0, 1, 2, 3, 4]
    assert not map_array(tmp_path, "full").flags.writeable
    assert map_array(tmp_path, "empty").tolist() == []


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY"])
def test_a_file_that_is_no_array_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npy").write_bytes(content)

    with pytest.raises(BadFile, match=r"x\.npy"):
        map_array(tmp_path, "x")


def test_arrays_with_pickled_objects_are_not_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([{}], dtype=object), allow_pickle=True)

    with pytest.raises(BadFile):
        map_array(tmp_path, "x")


def test_the_smallest_type_holds_the_number() -> None:
    assert np.dtype(smallest_type(65_535)) == np.uint16
    assert np.dtype(smallest_type(65_536)) == np.uint32
