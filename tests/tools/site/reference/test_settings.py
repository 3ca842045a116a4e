from linnet.comparison.grid import GridSettings
from linnet.settings.files import describe_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.training.options import describe_training_settings
from tools.site.reference.settings import settings_page


def test_every_setting_has_a_row() -> None:
    page = settings_page()

    names = [
        *describe_training_settings(),
        *dict(describe_settings(PretrainSettings)),
        *dict(describe_settings(GridSettings)),
    ]
    assert not [name for name in names if f"| `{name}` |" not in page]
    assert "| `seed` | Seed of all random numbers. Default: `1`. |" in page
