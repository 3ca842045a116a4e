"""The settings of the service have sensible bounds."""

import pytest
from pydantic import ValidationError

from linnet.settings.serving import ServeSettings


def test_the_service_listens_on_this_machine_alone_by_default() -> None:
    settings = ServeSettings(models=("m",))

    assert (settings.host, settings.token, settings.cors) == ("127.0.0.1", None, ())


@pytest.mark.parametrize(
    "wrong", [{"models": ()}, {"port": 70000}, {"token": "short"}, {"max_body_mb": 0}, {"seconds": 0}, {"prot": 1}]
)
def test_other_values_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ServeSettings.model_validate({"models": ["m"], **wrong})
