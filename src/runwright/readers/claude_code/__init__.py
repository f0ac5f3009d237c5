"""Claude Code's session files."""

from runwright.readers.claude_code.read import read_claude_code, sniff_claude_code, together
from runwright.readers.reader import Reader

CLAUDE_CODE = Reader(
    name="claude_code",
    sniff=sniff_claude_code,
    read=read_claude_code,
    together=together,
    recognised="JSON Lines with `parentUuid`, `sessionId` and `isSidechain`; `agent-*.jsonl` is read with its session",
    kept="replies joined from their lines, tool calls with results and refusals, files written by edits as `fs_write`, "
    "subagents inside the call that started them, failed and retried calls, interruptions, usage, times",
    lost="system prompt, tool schemas, parameters, reminders that the CLI adds; what shell commands wrote; branches "
    "that the session left; the exchange that summed up a conversation",
    versions="1.0.31-2.1.170",
)

__all__ = ["CLAUDE_CODE", "read_claude_code", "sniff_claude_code"]
