"""What a report may say, and the forms it takes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runwright.reports.audit import audit_of
    from runwright.reports.audit_model import AuditReport
    from runwright.reports.audit_text import render_audit_text
    from runwright.reports.html import render_html
    from runwright.reports.json import plain_report, render_json
    from runwright.reports.junit import render_junit
    from runwright.reports.markdown import render_markdown
    from runwright.reports.model import RunReport
    from runwright.reports.report import report_of
    from runwright.reports.saved import read_report
    from runwright.reports.text import render_text

__all__ = [
    "AuditReport",
    "RunReport",
    "audit_of",
    "plain_report",
    "read_report",
    "render_audit_text",
    "render_html",
    "render_json",
    "render_junit",
    "render_markdown",
    "render_text",
    "report_of",
]

_MODULES = {
    "AuditReport": "audit_model",
    "RunReport": "model",
    "audit_of": "audit",
    "plain_report": "json",
    "read_report": "saved",
    "render_audit_text": "audit_text",
    "render_html": "html",
    "render_json": "json",
    "render_junit": "junit",
    "render_markdown": "markdown",
    "render_text": "text",
    "report_of": "report",
}


def __getattr__(name: str) -> object:
    """A name when it is asked for: those about runs bring servers along, and what compares two files needs none."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
