"""A scan for programs."""

from __future__ import annotations

from dataclasses import asdict

from runwright.reports.scan.text import place_of
from runwright.reports.shown import printable
from runwright.scan import FileScan, Scan
from runwright.scan.found import WORDS
from runwright.secrets import clean_text
from runwright.trace import JSON


def scan_json(scan: Scan) -> JSON:
    """The scan as `command-output-v1` describes it."""
    return {
        "word": WORDS[scan.state],
        "exit": int(scan.exit),
        "files": [_file(each) for each in scan.files],
        "skipped": [printable(clean_text(each)) for each in scan.skipped],
        "unused": [asdict(entry) for entry in scan.unused],
    }


def _file(found: FileScan) -> JSON:
    pairs = zip(found.hits, found.fingerprints(), strict=True)
    return {
        "file": printable(clean_text(found.file)),
        "word": WORDS[found.state],
        "read_as": found.read_as,
        "reason": None if found.reason is None else printable(found.reason),
        "notes": [printable(note) for note in found.notes],
        "findings": [
            {
                "rule": hit.rule,
                "place": printable(place_of(hit)),
                "line": hit.line,
                "places": hit.places,
                "fingerprint": fingerprint,
            }
            for hit, fingerprint in pairs
        ],
    }
