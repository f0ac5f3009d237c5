"""The report as JSON: exactly what schema/diff-v1.schema.json describes."""

from __future__ import annotations

import msgspec

from runwright.reports.diff.model import DiffReport


def render_diff_json(report: DiffReport) -> str:
    """The report as an indented JSON document that ends with a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"
