"""The reports of `runwright diff` and `runwright git-diff`, and the forms they take."""

from runwright.reports.diff.git import Version, git_diff, laid_out, unmerged
from runwright.reports.diff.json import render_diff_json
from runwright.reports.diff.markdown import render_diff_markdown
from runwright.reports.diff.model import DiffReport
from runwright.reports.diff.report import diff_report
from runwright.reports.diff.text import render_diff_text

__all__ = [
    "DiffReport",
    "Version",
    "diff_report",
    "git_diff",
    "laid_out",
    "render_diff_json",
    "render_diff_markdown",
    "render_diff_text",
    "unmerged",
]
