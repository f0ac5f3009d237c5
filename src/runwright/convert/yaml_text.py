"""YAML as text that is the same on every machine: plain words plain, everything else as JSON strings."""

from __future__ import annotations

import json
import re

import yaml

from runwright.trace.model import JSON

PLAIN = re.compile(r"[A-Za-z_$./][A-Za-z0-9_$./ @'()+*!-]*(?<! )")
ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def scalar(value: JSON) -> str:
    """A scalar as YAML writes it inside a block or a flow mapping."""
    if isinstance(value, str) and _reads_as_itself(value):
        return value
    return ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _reads_as_itself(text: str) -> bool:
    return PLAIN.fullmatch(text) is not None and yaml.safe_load(text) == text and len(text) < 120


def inline(value: JSON) -> str:
    """Any JSON value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return scalar(value)


def text_at(text: str, indent: int) -> str:
    """A text as the value of a key whose children stand at `indent`: a literal block where it has several lines."""
    lines = text.split("\n")
    if len(lines) < 2 or not _fits_a_block(text, lines):
        return scalar(text)
    kept, body = ("|-", lines) if lines[-1] else ("|", lines[:-1])
    return "\n".join([kept, *((" " * indent + line) if line else "" for line in body)])


def _fits_a_block(text: str, lines: list[str]) -> bool:
    """A literal block keeps this text exactly: nothing to escape, no leading space, no run of empty last lines."""
    printable = not re.search(r"[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]", text)
    endings = bool(lines[0]) and not text.endswith("\n\n") and not text[:1].isspace()
    return printable and endings and not ESCAPED.search(text) and "\u0085" not in text


def comment(text: str) -> str:
    """Text that is safe after a `#`: one line, nothing that a terminal or YAML would act on."""
    shown = re.sub(r"[^\x20-\x7e\xa1-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]", "?", text)
    return f"# {shown}".rstrip()
