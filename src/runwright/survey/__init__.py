"""Many traces at once: what files, folders, patterns and flows hold, each once, and what could not be read."""

from runwright.survey.covered import CoverageSurvey, coverage_of
from runwright.survey.drifted import AgentSurvey, SetSurvey, drift_from_agent, drift_of_sets
from runwright.survey.files import chosen_files
from runwright.survey.traces import Surveyed, Unread, survey

__all__ = [
    "AgentSurvey",
    "CoverageSurvey",
    "SetSurvey",
    "Surveyed",
    "Unread",
    "chosen_files",
    "coverage_of",
    "drift_from_agent",
    "drift_of_sets",
    "survey",
]
