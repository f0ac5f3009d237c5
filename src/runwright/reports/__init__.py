"""What a report may say, and the forms it takes."""

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
