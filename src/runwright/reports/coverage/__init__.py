"""The report of `runwright coverage`, and the forms it takes."""

from runwright.reports.coverage.html import render_coverage_html
from runwright.reports.coverage.model import CoverageReport, Limits
from runwright.reports.coverage.report import coverage_report
from runwright.reports.coverage.text import render_coverage_text

__all__ = ["CoverageReport", "Limits", "coverage_report", "render_coverage_html", "render_coverage_text"]
