"""All that the package `secrets` has to give; loaded when something of it is first asked for."""

from runwright.secrets.allowlist import Allowlist, Entry, load_allowlist
from runwright.secrets.finding import Finding, Span, Token, tokens_in
from runwright.secrets.gate import gate_text, gate_trace
from runwright.secrets.redact import clean_text, redact_trace, redact_value
from runwright.secrets.scan import flag, scan_text, scan_trace, scan_value

__all__ = [
    "Allowlist",
    "Entry",
    "Finding",
    "Span",
    "Token",
    "clean_text",
    "flag",
    "gate_text",
    "gate_trace",
    "load_allowlist",
    "redact_trace",
    "redact_value",
    "scan_text",
    "scan_trace",
    "scan_value",
    "tokens_in",
]
