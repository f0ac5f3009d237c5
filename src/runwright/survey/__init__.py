"""Many traces at once: what files, folders, patterns and flows hold, each once, and what could not be read."""

from runwright.survey.drifted import AgentSurvey, SetSurvey, drift_from_agent, drift_of_sets
from runwright.survey.files import chosen_files
from runwright.survey.traces import Surveyed, Unread, survey

__all__ = [
    "AgentSurvey",
    "SetSurvey",
    "Surveyed",
    "Unread",
    "chosen_files",
    "drift_from_agent",
    "drift_of_sets",
    "survey",
]
