"""`suite.yaml`: which one governs a flow, and what it says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, cast

from runwright import __version__
from runwright.errors import CapabilityError, FlowError
from runwright.flow.keys import unknown_keys
from runwright.flow.spec import Dialect
from runwright.flow.yaml_tree import Document, Where, read_yaml
from runwright.run.discover import ROOT_MARKS, SUFFIXES, flow_files, from_here
from runwright.trace.model import JSON
from runwright.trace.paths import parse_path
from runwright.trace.schemas import problems

Object: TypeAlias = Mapping[str, JSON]

NAME = "suite.yaml"
MISSPELT = ("suite.yml", "Suite.yaml")
DEFAULT_TIMEOUT = 300.0
_NOT_OURS = {
    "browser": "is for web flows, and means nothing here",
    "identities": "is for web flows, and means nothing here",
    "depends_on": "is not followed: every flow runs, and each has its own verdict",
    "stop_on_failure": "is not followed: every flow runs, and each has its own verdict",
}


@dataclass(frozen=True, kw_only=True)
class SuiteFile:
    """A suite file's content; `env` as it is written, each value with its place, and the flows as whole paths."""

    path: Path
    env: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    env_from: str | None = None
    before_each: str | None = None
    after_each: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    order: tuple[Path, ...] = ()
    flows: tuple[Path, ...] | None = None
    declared_by: Dialect = "runwright"
    notes: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where its commands run."""
        return self.path.parent


def find_suite(flow: Path) -> Path | None:
    """The nearest suite file in the flow's folder or above it, but not above the repository.

    Outside any repository one that belongs to another user is refused: it holds commands to run.
    """
    folder = Path(os.path.normpath(flow.absolute())).parent
    for each in (folder, *folder.parents):
        found = each / NAME
        if os.path.lexists(found):
            _check_kind(found)
            _check_owner(found)
            return found
        for name in MISSPELT:
            if (each / name).is_file():
                raise FlowError(f"{name} is not read", place=str(from_here(each / name)), hint=f"rename it to {NAME}")
        if _is_root(each):
            return None
    return None


def _is_root(folder: Path) -> bool:
    return any((folder / mark).exists() for mark in ROOT_MARKS)


def _check_kind(path: Path) -> None:
    """What is there and is no file says nothing; passed over, its flows would run without what it was to give them."""
    if not path.is_file():
        fault = "a link that leads nowhere" if path.is_symlink() and not path.exists() else "no file"
        raise FlowError(
            f"the suite file is {fault}", place=str(from_here(path)), hint=f"{NAME} is a file, or not there"
        )


def _check_owner(path: Path) -> None:
    if any(map(_is_root, path.parents)) or path.stat().st_uid in (os.getuid(), 0):
        return
    hint = "it holds commands: copy it, or put it into a repository"
    raise FlowError(
        "a suite file of another user, outside any repository, is not run", place=str(from_here(path)), hint=hint
    )


def load_suite(path: Path) -> SuiteFile:
    """What the file says. FlowError, with its place, where it is wrong; CapabilityError where it wants a newer tool."""
    try:
        document = read_yaml(path.read_bytes(), str(from_here(path)))
    except OSError as error:
        raise FlowError(f"cannot read the suite file: {error.strerror}", place=str(from_here(path))) from error
    form = _checked(document)
    legacy = "suite" not in form
    order, flows = (_files(document, path.parent, key) for key in ("order", "flows"))
    if order is not None and flows is not None:
        raise FlowError("'flows' is an order already", place=document.place(("order",)), hint="drop one of the two")
    _check_dependencies(document, path.parent)
    return SuiteFile(
        path=path,
        env={
            name: (_scalar(value), document.place(("env", name)))
            for name, value in _object(document.value, "env").items()
        },
        env_from=cast("str | None", form.get("env_from")),
        before_each=cast("str | None", form.get("before_each")),
        after_each=cast("str | None", form.get("after_each")),
        timeout=float(cast("float", form.get("timeout", DEFAULT_TIMEOUT))),
        order=order or (),
        flows=flows,
        declared_by="flowproof" if legacy else "runwright",
        notes=(
            *_notes(document, form),
            *_left_out(document, path.parent, flows),
            *_checked_version(document, form, legacy=legacy),
        ),
    )


def _checked(document: Document) -> Object:
    value = document.value
    if not isinstance(value, dict):
        raise FlowError("a suite file is a mapping of keys", place=document.place(()))
    version = value.get("suite")
    if isinstance(version, int) and not isinstance(version, bool) and version > 1:
        hint = "upgrade runwright, or write the file for version 1"
        message = f"suite: {version} is newer than this version knows (1)"
        raise FlowError(message, place=document.place(("suite",)), hint=hint)
    for path, key, hint in unknown_keys("suite-v1", value):
        raise FlowError(f"unknown key {key!r}", place=document.place(path), hint=hint)
    for where, message in problems("suite-v1", value):
        raise FlowError(message, place=document.place(cast("Where", parse_path(where))))
    return value


def _checked_version(document: Document, form: Object, *, legacy: bool) -> Iterator[str]:
    wanted = form.get("min_version")
    if not isinstance(wanted, str):
        return
    place = document.place(("min_version",))
    if legacy:
        yield f"{place}: {wanted} is a version of flowproof's, and was not checked"
    elif _numbers(wanted) > _numbers(__version__):
        raise CapabilityError(f"{wanted} is wanted, this is {__version__}", place=place, hint="upgrade runwright")


def _numbers(version: str) -> list[int]:
    return [int(each) for each in version.split(".")[:3]]


def _notes(document: Document, form: Object) -> Iterator[str]:
    for key, why in _NOT_OURS.items():
        if form.get(key):
            yield f"{document.place((key,))}: {key!r} {why}"


def _left_out(document: Document, folder: Path, flows: tuple[Path, ...] | None) -> Iterator[str]:
    """A note that names the flows which 'flows' leaves out: nothing else tells that they do not run."""
    others = (
        [each.relative_to(folder).as_posix() for each in flow_files([folder]) if each not in flows] if flows else []
    )
    if others:
        yield f"{document.place(('flows',))}: not listed, so run only where named: {', '.join(others)}"


def _files(document: Document, folder: Path, key: str) -> tuple[Path, ...] | None:
    written = cast("Object", document.value).get(key)
    if not isinstance(written, list):
        return None
    files: list[Path] = []
    for n, each in enumerate(written):
        path = _flow_file(document, folder, (key, n), str(each))
        if path in files:
            raise FlowError(f"{each!r} stands here a second time", place=document.place((key, n)))
        files.append(path)
    return tuple(files)


def _check_dependencies(document: Document, folder: Path) -> None:
    for name, others in _object(document.value, "depends_on").items():
        _flow_file(document, folder, ("depends_on", name), name)
        for n, each in enumerate(cast("list[str]", others)):
            _flow_file(document, folder, ("depends_on", name, n), each)


def _flow_file(document: Document, folder: Path, at: Where, written: str) -> Path:
    place = document.place(at)
    path = Path(os.path.normpath(folder / written))
    if Path(written).is_absolute() or not path.is_relative_to(folder):
        raise FlowError(f"{written!r} is not below the suite file's folder", place=place)
    if not written.endswith(SUFFIXES):
        raise FlowError(f"{written!r} is no flow file", place=place, hint=f"a flow is a file *{SUFFIXES[0]}")
    if not path.is_file():
        raise FlowError(f"there is no flow {written!r}", place=place, hint=f"paths are from {from_here(folder)}")
    return path


def _object(value: JSON, key: str) -> Object:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _scalar(value: JSON) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
