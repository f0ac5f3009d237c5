"""The report of `runwright drift`, and the forms it takes."""

from runwright.reports.drift.model import AgentDriftReport, SetDriftReport
from runwright.reports.drift.report import agent_drift_report, set_drift_report
from runwright.reports.drift.text import render_drift_text

__all__ = ["AgentDriftReport", "SetDriftReport", "agent_drift_report", "render_drift_text", "set_drift_report"]
