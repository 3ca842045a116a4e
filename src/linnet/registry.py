"""Registry that finds formats, losses, weighting schemes and tasks by name."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from linnet.errors import BadPlugin, UnknownName

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Entries of one kind by name, filled at the first look-up.

    Names are found in any letter case and returned in lower case.
    """

    def __init__(self, kind: str, *, home: str, contract: type | None = None) -> None:
        self.kind = kind
        self.home = home  # the module or package whose import fills this registry
        self.contract = contract  # the protocol that entries follow, where they are objects and no functions
        self.group = "linnet." + kind.replace(" ", "_")  # the entry-point group of other packages
        self._entries: dict[str, T] = {}
        self._is_filled = False

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that adds an entry under `name`; no two entries have the same name."""
        key = name.lower()

        def add(entry: T) -> T:
            what = f"the {self.kind} {key!r}"
            self._refuse_class(entry, what)
            self._refuse_second(key, entry, what)
            self._entries[key] = entry
            return entry

        return add

    def get(self, name: str) -> T:
        """Return the entry called `name`, or refuse with the nearest known name."""
        return self._entries[self.canonical(name)]

    def canonical(self, name: str, *, among: Callable[[], Sequence[str]] | None = None) -> str:
        """Return the name as it is listed and written to files, or refuse with the nearest known name.

        Args:
            name: in any letter case.
            among: the names that can be meant here, which a refusal names; all if not given.
        """
        key = name.lower()
        if key not in self._entries:
            self._import_namesake(key)
        if key not in self._entries:
            self._fill()
        if key not in self._entries:
            names = among() if among is not None else self.names()
            near = get_close_matches(key, names, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UnknownName(f"there is no {self.kind} called {name!r}", f"{hint}known: {', '.join(names)}")
        return key

    def names(self) -> list[str]:
        """Return all names, sorted."""
        self._fill()
        return sorted(self._entries)

    def _import_namesake(self, key: str) -> None:
        """Import the child of the home that has this name, so that one entry does not cost the import of all."""
        home = importlib.import_module(self.home)
        if key in {found.name for found in pkgutil.iter_modules(getattr(home, "__path__", ()))}:
            importlib.import_module(f"{self.home}.{key}")

    def _fill(self) -> None:
        if self._is_filled:
            return
        home = importlib.import_module(self.home)
        for module in pkgutil.iter_modules(getattr(home, "__path__", ())):
            importlib.import_module(f"{self.home}.{module.name}")
        for plugin in entry_points(group=self.group):
            self._entries[plugin.name.lower()] = self._load(plugin)
        self._is_filled = True  # last: a failed import must fail again, not leave gaps

    def _load(self, plugin: EntryPoint) -> T:
        """Return the entry that another package announces, or name the package that announces nothing usable."""
        package = plugin.dist.name if plugin.dist is not None else plugin.module
        what = f"the {self.kind} {plugin.name!r} of the package {package!r}"
        try:
            entry: T = plugin.load()
        except (ImportError, AttributeError) as error:
            raise BadPlugin(
                f"{what} cannot be loaded ({error})",
                f"install what it needs, correct its entry point, or remove it: `pip uninstall {package}`",
            ) from None
        self._refuse_class(entry, what)
        self._refuse_second(plugin.name.lower(), entry, what)
        self._refuse_unlike_contract(plugin.name, entry, what)
        return entry

    def _refuse_class(self, entry: T, what: str) -> None:
        if self.contract is not None and isinstance(entry, type):
            name = entry.__name__
            remedy = f"register an object, {name}(), and name the object in the entry point of pyproject.toml"
            raise BadPlugin(f"{what} is the class {name}, expected an object of it", remedy)

    def _refuse_second(self, key: str, entry: T, what: str) -> None:
        other = self._entries.get(key, entry)
        if other is not entry:
            named: Any = (
                other if hasattr(other, "__qualname__") else type(other)
            )  # a function, or the class of an object
            raise BadPlugin(
                f"{what} has the same name as another one, {named.__module__}.{named.__qualname__}",
                "give it another name, where it is registered and in the entry point of pyproject.toml",
            )

    def _refuse_unlike_contract(self, name: str, entry: T, what: str) -> None:
        if self.contract is None:
            return
        members = {*self.contract.__annotations__, *vars(self.contract)}
        missing = sorted(member for member in members if not member.startswith("_") and not hasattr(entry, member))
        if missing:
            remedy = f"add it; {self.contract.__module__}.{self.contract.__qualname__} says what it must do"
            raise BadPlugin(f"{what} has no {', '.join(missing)}", remedy)
        own = getattr(entry, "name", name)
        if own.lower() != name.lower():
            remedy = "use one name, in the attribute `name` and in the entry point of pyproject.toml"
            raise BadPlugin(f"{what} calls itself {own!r}", remedy)
