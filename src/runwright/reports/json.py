"""A report as JSON: exactly what its schema describes."""

from __future__ import annotations

import re

import msgspec

from runwright.reports.model import Part, RunReport
from runwright.trace.model import JSON

_TURNS = re.compile("[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def plain_report(report: RunReport) -> JSON:
    """The report as plain JSON values."""
    plain: JSON = msgspec.json.decode(msgspec.json.encode(report))
    return plain


def render_json(report: Part) -> str:
    """The report as an indented JSON document; marks that turn the order of text are escapes."""
    text = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    return _TURNS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
