import linnet
from tools.site.reference.python_api import python_page


def test_every_public_name_has_a_section() -> None:
    page = python_page()

    names = [name for name in linnet.__all__ if not name.startswith("_")]
    assert not [name for name in names if f"\n## linnet.{name}\n" not in page]
    assert "_path(" not in page  # names inside of the modules
    assert "| `label` | `str` |" in page
