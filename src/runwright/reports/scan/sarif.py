"""A scan as SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from urllib.parse import quote

from runwright import __version__
from runwright.reports.scan.text import place_of
from runwright.reports.shown import plural, printable
from runwright.scan import FileScan, Hit, Scan
from runwright.secrets import clean_text
from runwright.trace import JSON

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "runwright/v1"
HELP = (
    "Replace it where it is issued; redact the file, or let it pass by a reviewed entry in .runwright/allowlist.yaml."
)


def sarif(scan: Scan) -> JSON:
    """One run of one tool. A file that could not be read is a notification, and the invocation no success."""
    rules = sorted({hit.rule for each in scan.files for hit in each.hits})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "runwright", "version": __version__, "rules": [_rule(each) for each in rules]}
                },
                "invocations": [
                    {
                        "executionSuccessful": scan.state != "unread",
                        "exitCode": int(scan.exit),
                        "toolExecutionNotifications": list(_notifications(scan)),
                    }
                ],
                "results": [result for each in scan.files for result in _results(each, rules)],
            }
        ],
    }


def _rule(name: str) -> JSON:
    text = name.replace("-", " ")
    return {"id": name, "shortDescription": {"text": f"a secret: {text}"}, "help": {"text": HELP}}


def _results(found: FileScan, rules: list[str]) -> Iterator[JSON]:
    for hit, fingerprint in zip(found.hits, found.fingerprints(), strict=True):
        yield {
            "ruleId": hit.rule,
            "ruleIndex": rules.index(hit.rule),
            "level": "error",
            "message": {"text": printable(f"{hit.rule} at {place_of(hit)}, in {plural(hit.places, 'place')}")},
            "locations": [_location(found, hit)],
            "partialFingerprints": {FINGERPRINT: fingerprint},
        }


def _location(found: FileScan, hit: Hit) -> JSON:
    physical: dict[str, JSON] = {"artifactLocation": {"uri": _uri(found.file)}, "region": {"startLine": hit.line or 1}}
    logical: list[JSON] = [{"fullyQualifiedName": printable(hit.place)}] if hit.place else []
    return {"physicalLocation": physical, "logicalLocations": logical}


def _notifications(scan: Scan) -> Iterator[JSON]:
    for each in scan.files:
        if each.reason is not None:
            yield {
                "level": "error",
                "message": {"text": printable(f"could not be read: {each.reason}")},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(each.file)}}}],
            }


def _uri(file: str) -> str:
    """A relative reference for a file below, a whole address for any other."""
    shown = printable(clean_text(file))
    return PurePath(shown).as_uri() if PurePath(shown).is_absolute() else quote(shown)
