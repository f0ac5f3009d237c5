"""Every file of the real samples is imported, or refused for a reason that is written here."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import pytest

from runwright.errors import ReaderError, UnknownFormat
from runwright.readers.many import Group, files_of, read_many
from runwright.trace import dumps_trace, loads_trace
from tests.samples import samples_dir

UNKNOWN = (UnknownFormat, "no reader recognises the bytes")
"""Told from the bytes to be none of the formats."""


class Folder(NamedTuple):
    """What a folder holds: its files, those that are imported and the runs of each format that they give.

    `refused` are patterns of the names of all the others, with how many they are and why.
    """

    files: int
    imported: int
    runs: dict[str, int]
    refused: dict[str, tuple[int, type[ReaderError], str]]


FOLDERS = {
    "atif": Folder(2, 2, {"atif": 2}, {}),
    # what the SDK and the CLI told each other, control messages included: no conversation of a known form
    "claude-agent-sdk": Folder(
        1, 0, {}, {"*tool_use_conversation.json": (1, ReaderError, "no conversation with an assistant's reply")}
    ),
    # most are one line of a session
    "claude-code": Folder(
        44,
        24,
        {"claude_code": 24},
        {
            "*__system__s*.jsonl": (2, ReaderError, "no reply of a model in it"),
            "*__tools__*-tool_result*.jsonl": (13, ReaderError, "no reply of a model in it"),
            "*__user__*.jsonl": (5, ReaderError, "no reply of a model in it"),
        },
    ),
    "codex": Folder(8, 8, {"codex": 8}, {}),
    "flowproof-trace": Folder(6, 6, {"flowproof": 6}, {}),
    "gemini-cli": Folder(36, 36, {"gemini_cli": 36}, {}),
    "gen": Folder(8, 0, {}, {"*.py": (6, *UNKNOWN), "versions*.txt": (2, *UNKNOWN)}),
    "inspect-ai": Folder(
        12,
        8,
        {"inspect_ai": 30},
        {
            "*_no-samples.json": (1, ReaderError, "no sample with a model call in it"),
            "*_log_tool_call_error.json": (1, ReaderError, "no sample with a model call in it"),
            "*__test_skeleton__*.json": (2, *UNKNOWN),
        },
    ),
    "langfuse": Folder(11, 11, {"langfuse": 11}, {}),
    "langsmith": Folder(1, 1, {"langsmith": 1}, {}),
    # calls of one task lie in files of their own
    "litellm-logs": Folder(7, 7, {"litellm": 2, "chat_list": 2}, {}),
    "mitmproxy": Folder(1, 1, {"mitmproxy": 1}, {}),
    "openai-agents": Folder(
        9,
        3,
        {"openai_agents": 3},
        {
            f"*__v1_{number}_*.json": (1, ReaderError, "the state of a run in which no model had replied yet")
            for number in (10, 15, 16, 17, 3, 6)
        },
    ),
    "openhands": Folder(2, 2, {"openhands": 2}, {}),
    "openinference": Folder(3, 3, {"otlp": 3}, {}),
    "otel-genai": Folder(
        14,
        8,  # the log records of one run lie in a file of their own
        {"otlp": 7},
        {
            "*__schemas__genai__*": (3, *UNKNOWN),
            "langwatch__*": (3, *UNKNOWN),  # a stream of one reply, and attributes of single spans
        },
    ),
    # streams and replies without what was asked
    "sse-chunks": Folder(76, 0, {}, {"*.chunks.txt": (42, *UNKNOWN), "*.json": (34, *UNKNOWN)}),
    "swe-agent": Folder(11, 11, {"swe_agent": 11}, {}),
    "vcr": Folder(159, 159, {"vcr": 159}, {}),
}


def test_no_folder_is_left_out() -> None:
    here = {path.name for path in samples_dir().iterdir() if path.is_dir()}
    assert here == set(FOLDERS)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_file_is_imported_or_refused_for_its_reason(name: str) -> None:
    expected = FOLDERS[name]
    files = files_of([samples_dir(name)])
    groups = list(read_many(files))  # whatever is no refusal gets through
    assert sorted(path for group in groups for path in group.files) == sorted(files)
    assert len(files) == expected.files
    read = [group for group in groups if group.error is None]
    assert sum(len(group.files) for group in read) == expected.imported
    assert Counter(format for group in read for format in sealed(group)) == expected.runs
    why = {path: refusal(group) for group in groups if group.error is not None for path in group.files}
    assert why == reasons(files, expected)


def sealed(group: Group) -> list[str]:
    """The format of each run, which is written whole and read back the same."""
    formats = []
    for run in group.runs:
        again = loads_trace(dumps_trace(run.trace))
        assert again.complete
        assert again == run.trace
        assert run.trace.header.source is not None
        formats.append(run.trace.header.source.format)
    assert formats
    return formats


def refusal(group: Group) -> tuple[type[Exception], bool, str]:
    """The kind of a refusal, whether it says what to do, and its words up to what they are about."""
    error = group.error
    assert error is not None
    known = [reason for folder in FOLDERS.values() for _, _, reason in folder.refused.values()]
    said = next((reason for reason in known if error.message.startswith(reason)), error.message)
    return type(error), bool(error.hint), said


def reasons(files: list[Path], expected: Folder) -> dict[Path, tuple[type[Exception], bool, str]]:
    found = {}
    for pattern, (number, kind, reason) in expected.refused.items():
        named = [path for path in files if fnmatch(path.name, pattern)]
        assert len(named) == number, pattern
        found |= dict.fromkeys(named, (kind, True, reason))
    return found
