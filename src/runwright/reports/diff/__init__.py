"""The report of `runwright diff`, and the forms it takes."""

from runwright.reports.diff.json import render_diff_json
from runwright.reports.diff.markdown import render_diff_markdown
from runwright.reports.diff.model import DiffReport
from runwright.reports.diff.report import diff_report
from runwright.reports.diff.text import render_diff_text

__all__ = ["DiffReport", "diff_report", "render_diff_json", "render_diff_markdown", "render_diff_text"]
