"""Packages that load what they have to give when it is asked for give the same, whatever was loaded before."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import runwright

LAZY = ("trace", "fingerprint", "secrets")

CHECK = """
import sys
from importlib import import_module

package, *modules = sys.argv[1:]
for module in modules:
    for name in [each for each in sys.modules if each.partition(".")[0] == "runwright"]:
        del sys.modules[name]
    import_module(f"{package}.{module}")
    given = import_module(package)
    for name in sorted(import_module(f"{package}.whole").__all__):
        found, meant = getattr(given, name), getattr(sys.modules[f"{package}.whole"], name)
        if found is not meant:
            print(module, name)
"""


def modules(package: str) -> list[str]:
    return sorted(each.name for each in pkgutil.iter_modules(import_module(f"runwright.{package}").__path__))


def loaded_from_outside(package: str) -> list[str]:
    """The modules of a package that code outside of it loads by their own names."""
    source = Path(runwright.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in source.rglob("*.py") if path.parent != source / package]
    return [
        each for each in modules(package) if any(f"from runwright.{package}.{each} import" in text for text in texts)
    ]


@pytest.mark.parametrize("package", LAZY)
def test_each_module_that_is_loaded_from_outside_may_be_loaded_first(package: str) -> None:
    first = loaded_from_outside(package)
    assert len(first) >= 3
    path = os.pathsep.join((str(Path(runwright.__file__).parent.parent), os.environ.get("PYTHONPATH", "")))
    command = [sys.executable, "-c", CHECK, f"runwright.{package}", *first]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("package", LAZY)
def test_a_module_of_the_same_name_as_what_is_given_is_loaded_from_within_alone(package: str) -> None:
    """Loaded by its own name it would stand in the place of what the package gives."""
    same = set(modules(package)) & set(import_module(f"runwright.{package}.whole").__all__)
    assert not same & set(loaded_from_outside(package))


@pytest.mark.parametrize("package", LAZY)
def test_what_is_not_there_is_told(package: str) -> None:
    with pytest.raises(AttributeError, match="no_such_thing"):
        import_module(f"runwright.{package}").no_such_thing  # noqa: B018 # asking is all
