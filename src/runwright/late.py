"""Packages whose modules are loaded when something of theirs is first asked for."""

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Callable


def given_late(package: str) -> "Callable[[str], object]":
    """The `__getattr__` of a package: what its module `whole` lists, loaded at the first of its names."""

    def given(name: str) -> object:
        import sys
        from importlib import import_module

        whole = import_module(f"{package}.whole")
        names = getattr(whole, "__all__", ())  # none while its own modules are loaded, which ask for one another
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        vars(sys.modules[package]).update({each: getattr(whole, each) for each in names})
        return getattr(whole, name)

    return given
