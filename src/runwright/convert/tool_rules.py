"""Which arguments of which tools say what file a call changed: a table, and nothing beyond it.

A call is only read where its tool's name and its arguments both fit, and where it ended well. A command line is never
read: which files a shell's redirection, `sed -i` or `git checkout` changed is not in its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from runwright.trace.digests import digest_bytes
from runwright.trace.model import JSON, EffectKind, EffectState, SideEffect

SMALL: Final = 16_384
"""Characters of a content that are kept in an effect."""


class Rule(NamedTuple):
    """Tools by name, in lower case; the argument with the path; the one with all that the file holds then; and why."""

    tools: tuple[str, ...]
    path: tuple[str, ...]
    kind: EffectKind
    content: tuple[str, ...]
    why: str


PATHS: Final = ("file_path", "path", "filepath", "file", "filename", "target_file")
RULES: Final[tuple[Rule, ...]] = (
    Rule(
        ("write", "write_file", "writefile", "create_file", "save_file", "write_to_file"),
        PATHS,
        "fs_write",
        ("content", "contents", "file_text", "text"),
        "the file holds the content that it was given",
    ),
    Rule(
        ("edit", "multiedit", "edit_file", "replace", "replace_in_file", "str_replace", "search_replace"),
        PATHS,
        "fs_write",
        (),
        "the file is edited in place; what it holds then is not in the arguments",
    ),
    Rule(
        ("notebookedit", "notebook_edit", "edit_notebook"),
        ("notebook_path", *PATHS),
        "fs_write",
        (),
        "a cell of the notebook is edited",
    ),
    Rule(("delete_file", "deletefile", "remove_file"), PATHS, "fs_delete", (), "the file is deleted"),
)
EDITORS: Final = ("str_replace_editor", "str_replace_based_edit_tool", "text_editor")
EDITS: Final[Mapping[str, tuple[str, ...]]] = {"create": ("file_text",), "str_replace": (), "insert": ()}
"""What the editor tools do by their `command`; `view` and `undo_edit` are left out, as they tell no change."""
PATCHES: Final = ("apply_patch", "applypatch", "patch")
ADD, UPDATE, DELETE, MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "


def effects_by_rule(tool: str, arguments: JSON, cause: str | None) -> Iterator[SideEffect]:
    """The changes that the arguments of a call name which ended well, and that `cause` names."""
    name = tool.rpartition("__")[2].rpartition(".")[2].lower()
    given = arguments if isinstance(arguments, dict) else {}
    if name in PATCHES:
        yield from _of_patch(_text(given, ("input", "patch", "content")) or _whole(arguments), cause)
        return
    content, kind = _done(name, given)
    path = next((_text(given, rule.path) for rule in RULES if name in rule.tools), None)
    path = _text(given, PATHS) if name in EDITORS else path
    if path and kind is not None:
        yield SideEffect(kind=kind, target=path, after=_state(content), caused_by=cause)


def _done(name: str, arguments: Mapping[str, JSON]) -> tuple[str | None, EffectKind | None]:
    """What the file holds afterwards, where that is known, and what kind of change it is."""
    if name in EDITORS:
        command = arguments.get("command")
        if not isinstance(command, str) or command not in EDITS:
            return None, None
        return _text(arguments, EDITS[command]), "fs_write"
    rule = next((rule for rule in RULES if name in rule.tools), None)
    return (None, None) if rule is None else (_text(arguments, rule.content), rule.kind)


def _of_patch(patch: str, cause: str | None) -> Iterator[SideEffect]:
    """The files that a patch names; what an update leaves in one is not in it."""
    lines = patch.splitlines()
    for n, line in enumerate(lines):
        if line.startswith(ADD):
            yield SideEffect(kind="fs_write", target=_name(line, ADD), caused_by=cause)
        elif line.startswith(DELETE):
            yield SideEffect(kind="fs_delete", target=_name(line, DELETE), caused_by=cause)
        elif line.startswith(UPDATE):
            to = lines[n + 1] if n + 1 < len(lines) and lines[n + 1].startswith(MOVE) else None
            if to is None:
                yield SideEffect(kind="fs_write", target=_name(line, UPDATE), caused_by=cause)
            else:
                detail: dict[str, JSON] = {"to": _name(to, MOVE)}
                yield SideEffect(kind="fs_rename", target=_name(line, UPDATE), detail=detail, caused_by=cause)


def _name(line: str, mark: str) -> str:
    return line.removeprefix(mark).strip()


def _text(arguments: Mapping[str, JSON], names: tuple[str, ...]) -> str | None:
    return next((value for name in names if isinstance(value := arguments.get(name), str)), None)


def _whole(arguments: JSON) -> str:
    return arguments if isinstance(arguments, str) else ""


def _state(content: str | None) -> EffectState | None:
    """The content of a small file; of a longer one nothing, as nobody could take a secret out of its digest."""
    if content is None or len(content) > SMALL:
        return None
    data = content.encode("utf-8", "surrogatepass")
    return EffectState(digest=digest_bytes(data), size=len(data), content=content)
