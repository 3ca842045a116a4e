"""Switches off the telemetry of libraries: what is computed with Linnet is nobody else's business.

ONNX Runtime and Ray send reports about their use unless an environment variable forbids it before they start; ONNX
Runtime also keeps an identifier of the machine in the cache of the user.
"""

import os

__all__ = ["switch_off_telemetry"]

SWITCHES = {"ORT_DISABLE_TELEMETRY": "1", "RAY_USAGE_STATS_ENABLED": "0"}


def switch_off_telemetry() -> None:
    """Forbid reports of libraries that are not imported yet; what the user has set stays."""
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
