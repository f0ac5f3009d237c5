"""Gemini CLI: the sessions that it keeps, and the responses that its tests recorded."""

from runwright.readers.gemini_cli.read import read_gemini_cli, sniff_gemini_cli, together
from runwright.readers.reader import Reader

GEMINI_CLI = Reader(
    name="gemini_cli",
    sniff=sniff_gemini_cli,
    read=read_gemini_cli,
    together=together,
    recognised="JSON or JSON Lines with `sessionId` and `projectHash`; lines of `method` and `response` with a "
    "`generateContent`",
    kept="replies, tool calls with results and status, files written as `fs_write`, subagents inside their calls, "
    "model, tokens, times, compressions; of recorded responses the response and its chunks",
    lost="system instruction, tool schemas, parameters; what was taken back; thoughts beyond their summaries; of "
    "recorded responses every request",
    versions="0.6-0.6x sessions, *.responses of its tests",
)

__all__ = ["GEMINI_CLI", "read_gemini_cli", "sniff_gemini_cli"]
