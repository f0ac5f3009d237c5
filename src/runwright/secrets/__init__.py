"""The secret gate: decoded leaves, rules, scan, redaction, allowlist."""

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from runwright.secrets.whole import *  # noqa: F403 # its names are listed there, once


def __getattr__(name: str) -> object:
    """What the package has to give; loading it takes longer than a small trace does to be read."""
    from importlib import import_module

    whole = import_module(f"{__name__}.whole")
    names = getattr(whole, "__all__", ())  # none while its own modules are loaded, which ask for one another
    if name not in names:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals().update({each: getattr(whole, each) for each in names})
    return globals()[name]
