from pathlib import Path

import pytest

from tests.browser import CHROMIUM
from tools.pictures.screenshots import FOLDER, take_screenshots

PNG = b"\x89PNG\r\n"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to draw the page")
def test_the_page_of_the_service_is_pictured_light_and_dark(tmp_path: Path) -> None:
    take_screenshots(tmp_path)

    for picture in ("annotated", "serve"):
        light, dark = ((tmp_path / f"{picture}{suffix}.png").read_bytes() for suffix in ("", "-dark"))
        assert light.startswith(PNG)
        assert dark.startswith(PNG)
        assert light != dark


def test_the_pictures_of_the_readme_are_small() -> None:
    assert all((FOLDER / name).stat().st_size < 150_000 for name in ("annotated.png", "annotated-dark.png"))
