"""What became of a call: its exit code stands in the text of its output, in one of three ways."""

from __future__ import annotations

import re

import orjson

from runwright.readers.codex.items import text_of_output
from runwright.readers.lenient import an_object
from runwright.trace.model import JSON, Outcome, ToolError

CODE = re.compile(r"^(?:Exit code: |Process exited with code |exit_code: )(-?\d{1,9})\b", re.MULTILINE)
HEAD = 400
"""Characters of an output in which its exit code stands."""
DENIED = ("exec command rejected by user", "patch rejected by user", "rejected by user", "user rejected MCP tool call")
STOPPED = ("aborted by user", "aborted", "turn interrupted")


def outcome_of(output: JSON, ended: JSON) -> tuple[Outcome, ToolError | None]:
    """Whether a call worked, by its output and by the event of its end if the rollout holds one."""
    text = text_of_output(output)
    if text.startswith(DENIED):
        return "denied", ToolError(message=text, type="denied")
    if text.strip() in STOPPED or text.startswith("aborted by user after"):
        return "error", ToolError(message=text, type="interrupted")
    end = an_object(ended)
    code = _code(end.get("exit_code"), text)
    if code:
        return "error", ToolError(message=f"exit code {code}", type="exit_code")
    failed = an_object(output).get("success") is False or end.get("success") is False
    return ("error", ToolError(message=text or "it failed")) if failed else ("ok", None)


def _code(told: JSON, text: str) -> int:
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    if text.startswith("{") and '"metadata"' in text:
        try:
            code = an_object(an_object(orjson.loads(text)).get("metadata")).get("exit_code")
        except orjson.JSONDecodeError:
            code = None
        if isinstance(code, int):
            return code
    found = CODE.search(text[:HEAD])
    return int(found.group(1)) if found else 0
