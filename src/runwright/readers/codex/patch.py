"""The files that a patch changes."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.readers.lenient import a_list, a_text, an_object
from runwright.readers.written import SMALL, written
from runwright.trace.model import JSON, SideEffect

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, UPDATE, DELETE, MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "


def patch_of(arguments: JSON) -> str | None:
    """The patch among the arguments of a call, wherever they hold it: an input, a field, a shell command."""
    if isinstance(arguments, str):
        _, begun, rest = arguments.partition(BEGIN)
        return rest.partition(END)[0] if begun else None
    held = [*an_object(arguments).values(), *a_list(arguments)]
    patches = (patch_of(each) for each in held if isinstance(each, (str, list)))
    return next((each for each in patches if each is not None), None)


def effects_of_patch(patch: str) -> Iterator[SideEffect]:
    """The changes of an applied patch, file by file; what an update left is not told by it."""
    for head, body in _files(patch):
        if head.startswith(ADD):
            content = "".join(f"{line[1:]}\n" for line in body if line.startswith("+"))
            yield written(head.removeprefix(ADD), "create", after=content)
        elif head.startswith(DELETE):
            yield SideEffect(kind="fs_delete", target=head.removeprefix(DELETE), op="delete")
        else:
            yield from _updated(head.removeprefix(UPDATE), body)


def _files(patch: str) -> Iterator[tuple[str, list[str]]]:
    head, body = "", list[str]()
    for line in patch.splitlines():
        if line.startswith((ADD, UPDATE, DELETE)):
            if head:
                yield head, body
            head, body = line.rstrip(), []
        else:
            body.append(line)
    if head:
        yield head, body


def _updated(path: str, body: list[str]) -> Iterator[SideEffect]:
    moved = body[0].removeprefix(MOVE).strip() if body and body[0].startswith(MOVE) else ""
    lines = body[1:] if moved else body
    if any(line.startswith(("+", "-")) for line in lines) or not moved:
        yield written(path, "edit", diff="\n".join(lines) + "\n" if lines else None)
    if moved:
        yield SideEffect(kind="fs_rename", target=path, op="move", detail={"to": moved})


def effects_of_changes(changes: JSON) -> Iterator[SideEffect]:
    """The changes that the end of a patch tells of: paths, each with what was added, updated or deleted."""
    for path, change in an_object(changes).items():
        told = an_object(change)
        kind = a_text(told.get("type")) or next((each for each in ("add", "update", "delete") if each in told), "")
        inner = an_object(told.get(kind)) or told
        content = inner.get("content")
        if kind == "add":
            yield written(path, "create", after=content if isinstance(content, str) else None)
        elif kind == "delete":
            yield SideEffect(kind="fs_delete", target=path, op="delete")
        elif kind == "update":
            diff = inner.get("unified_diff")
            yield written(path, "edit", diff=diff if isinstance(diff, str) and len(diff) <= SMALL else None)
            moved = a_text(inner.get("move_path"))
            if moved:
                yield SideEffect(kind="fs_rename", target=path, op="move", detail={"to": moved})
