"""Items of `codex exec --json` that are calls of tools: what was asked, what came of it, which files it changed."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.readers.assembled import Found
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.written import written
from runwright.trace.model import (
    JSON,
    McpError,
    McpRecord,
    Outcome,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
)

Item = dict[str, JSON]
RUN = {
    "command_execution": ("command",),
    "file_change": ("changes",),
    "mcp_tool_call": ("server", "tool", "arguments"),
    "web_search": ("query", "action"),
    "collab_tool_call": ("tool", "prompt"),
}
"""Items that are calls of tools, and their fields that are what was asked."""


def kind_of(item: Item) -> str:
    """The type of an item; the first versions called it so."""
    return a_text(item.get("type")) or a_text(item.get("item_type"))


def call_of(item: Item) -> ToolCallBlock:
    """The call that an item is, as the model would have asked for it."""
    kind = kind_of(item)
    name = f"mcp__{a_text(item.get('server'))}__{a_text(item.get('tool'))}" if kind == "mcp_tool_call" else kind
    given = item.get("arguments") if kind == "mcp_tool_call" else {key: item[key] for key in RUN[kind] if key in item}
    return ToolCallBlock(id=a_text(item.get("id")), name=name, arguments=given)


def result_of(item: Item) -> ToolResultBlock:
    """What the model was told of it, where the item says that."""
    output = item.get("aggregated_output")
    content = (TextBlock(text=output),) if isinstance(output, str) else ()
    return ToolResultBlock(call_id=a_text(item.get("id")), content=content)


def records_of(item: Item, place: str, reply: str) -> Iterator[Found]:
    """The record of an item, and those of the files that it changed."""
    key = f"call {a_text(item.get('id'))}"
    ext: dict[str, JSON] = {"source": place}
    if kind_of(item) == "mcp_tool_call":
        yield Found(record=_mcp(item, ext), key=key, parent=reply)
        return
    yield Found(record=_tool(item, ext), key=key, parent=reply)
    for effect in _changes(item):
        yield Found(record=SideEffectRecord(id="", side_effect=effect, ext=ext), parent=key, cause=key)


def _tool(item: Item, ext: dict[str, JSON]) -> ToolRecord:
    call, output = call_of(item), item.get("aggregated_output")
    outcome, error = _outcome(item)
    known = isinstance(output, str) and item.get("status") != "in_progress"
    return ToolRecord(
        id="",
        name=call.name,
        arguments=call.arguments,
        result=output if known else None,
        outcome=outcome,
        error=error,
        call_id=call.id or None,
        fidelity="reconstructed" if known else "partial",
        unknown=() if known else ("$.result", *(("$.outcome",) if item.get("status") == "in_progress" else ())),
        ext=ext,
    )


def _outcome(item: Item) -> tuple[Outcome, ToolError | None]:
    code, status = item.get("exit_code"), item.get("status")
    if status == "declined":
        return "denied", ToolError(message="declined", type="denied")
    if isinstance(code, int) and not isinstance(code, bool) and code != 0:
        return "error", ToolError(message=f"exit code {code}", type="exit_code")
    return ("error", ToolError(message="failed")) if status == "failed" else ("ok", None)


def _mcp(item: Item, ext: dict[str, JSON]) -> McpRecord:
    error, result = item.get("error"), item.get("result")
    failed = a_text(an_object(error).get("message")) or ("it failed" if item.get("status") == "failed" else "")
    open_ = result is None and not failed
    return McpRecord(
        id="",
        server=a_text(item.get("server")),
        method="tools/call",
        params={"name": a_text(item.get("tool")), "arguments": item.get("arguments")},
        result=result,
        error=McpError(code=0, message=failed) if failed else None,
        call_id=a_text(item.get("id")) or None,
        fidelity="partial" if open_ else "reconstructed",
        unknown=("$.result",) if open_ else ("$.error.code",) if failed else (),
        ext=ext,
    )


def _changes(item: Item) -> Iterator[SideEffect]:
    if item.get("status") in ("failed", "declined", "in_progress"):
        return
    for change in objects(item.get("changes")):
        path, kind = a_text(change.get("path")), change.get("kind")
        if path and kind == "delete":
            yield SideEffect(kind="fs_delete", target=path, op="delete")
        elif path:
            yield written(path, "create" if kind == "add" else "edit")
