"""How is a Ray cluster reached?"""

from typing import Any

from linnet.errors import BadSetting, MissingExtra

__all__ = ["connect"]


def connect(address: str) -> Any:  # Any: ray has no types of its own
    """Return Ray, connected to a cluster (`auto` finds one on this machine), or started here where it is `local`."""
    try:
        import ray
    except ImportError:
        raise MissingExtra("running on a cluster needs Ray", "pip install 'linnet[ray]'") from None
    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False, "include_dashboard": False}
    if address != "local":
        options = {"address": address, "log_to_driver": False}
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError, TimeoutError) as error:
        reason = str(error).strip().split("\n")[0]
        raise BadSetting(
            f"--ray {address}: no Ray cluster answers there ({reason})",
            "start one with `ray start --head`, give its address, or use `--ray local`",
        ) from None
    return ray
