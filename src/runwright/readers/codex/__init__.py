"""Codex: the rollouts that it keeps, and what `codex exec --json` prints."""

from runwright.readers.codex.read import read_codex, sniff_codex
from runwright.readers.reader import Reader

CODEX = Reader(
    name="codex",
    sniff=sniff_codex,
    read=read_codex,
    recognised="JSON Lines of `session_meta`, `response_item`, `event_msg` with a `payload`; the older lines without "
    "one; `thread.started` and `item.completed` of `codex exec --json`",
    kept="items joined to replies, calls with their outputs and exit codes, MCP calls, patches as `fs_write`, "
    "`fs_delete` and `fs_rename`, model, token counts, compactions, interruptions, times",
    lost="tool schemas, parameters, what shell commands wrote; system prompt before 0.80; of `exec --json` also the "
    "prompt, the model and which calls it made",
    versions="0.2x-0.9x rollouts of both shapes, exec --json 0.46",
)

__all__ = ["CODEX", "read_codex", "sniff_codex"]
