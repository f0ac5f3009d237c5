"""A report as JSON: exactly what its schema describes."""

from __future__ import annotations

import msgspec

from runwright.reports.model import Part, RunReport
from runwright.trace.model import JSON


def plain_report(report: RunReport) -> JSON:
    """The report as plain JSON values."""
    plain: JSON = msgspec.json.decode(msgspec.json.encode(report))
    return plain


def render_json(report: Part) -> str:
    """The report as an indented JSON document that ends with a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"
