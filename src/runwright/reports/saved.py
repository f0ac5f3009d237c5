"""Reports that were saved, read back: only whole ones, of a version that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec

from runwright.dialects.exact import exact_loads
from runwright.errors import Exit, ReaderError, UnknownFormat, UnknownVersion
from runwright.reports.model import RunReport, WordName
from runwright.secrets import redact_value
from runwright.trace import problems
from runwright.trace.model import JSON

SCHEMAS: Mapping[str, str] = {"runwright.run-report": "run-report-v1", "runwright.audit-report": "audit-report-v1"}
EXITS: Mapping[WordName, Exit] = {"PASS": Exit.OK, "FAIL": Exit.FAILED}
"""The exits of the words; of any other word it is NOT_JUDGED."""

VERSION = 1
HINT = "runwright run --json, or runwright audit --json, writes one"


def read_report(path: Path) -> RunReport:
    """The run in a saved report, be it one of `run` or of `audit`; ReaderError where it is not whole."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReaderError(f"cannot read the report: {error.strerror}", place=str(path)) from error
    return parse_report(data, str(path))


def parse_report(data: bytes, place: str) -> RunReport:
    """The run in a report's bytes; `place` names them in messages."""
    try:
        value = exact_loads(data)
    except ValueError as error:
        raise ReaderError(f"this is no whole report: {error}", place=place, hint=HINT) from error
    _must_fit(value, place)
    plain = value["run"] if isinstance(value, dict) and "run" in value else value
    report = msgspec.convert(redact_value(plain), RunReport)
    _must_be_whole(report, place)
    return report


def _must_fit(value: JSON, place: str) -> None:
    name = value.get("format") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str) or name not in SCHEMAS:
        raise UnknownFormat("this is no report", place=place, hint=HINT)
    version = value.get("version")
    if version != VERSION or isinstance(version, bool):
        raise UnknownVersion(f"version {version!r} of {name} is not known (1 is)", place=place, hint="write it anew")
    for where, message in problems(SCHEMAS[name], value):
        raise ReaderError(message, place=f"{place}: {where}", hint="write it anew")


def _must_be_whole(report: RunReport, place: str) -> None:
    if report.interrupted:
        raise ReaderError("the run was interrupted, so its report is not whole", place=place, hint="run it to its end")
    if dict(Counter(flow.word for flow in report.flows)) != dict(report.totals):
        raise ReaderError("the totals are not those of the flows listed: something was taken out", place=place)
    for number, flow in enumerate(report.flows):
        if flow.exit != EXITS.get(flow.word, Exit.NOT_JUDGED):
            fault = f"{flow.word} is not exit {flow.exit}: something was changed"
            raise ReaderError(fault, place=f"{place}: $.flows[{number}]", hint="write it anew")
