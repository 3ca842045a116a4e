"""Grids of trainings, and what their differences are worth.

`linnet.compare(...)` is promised to Python users, and this package has the same name: whichever of its modules was
imported first, Python then finds the package under that name. So the package itself can be called.
"""

import sys
from types import ModuleType
from typing import Any


class _Comparing(ModuleType):
    """The package as a function."""

    def __call__(self, *args: Any, **settings: Any) -> Any:  # Any: as `comparing.compare` has it
        """Run what a grid still needs and return what it says."""
        from linnet.compare.comparing import compare

        return compare(*args, **settings)


sys.modules[__name__].__class__ = _Comparing
