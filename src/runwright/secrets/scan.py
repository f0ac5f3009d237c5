"""The secrets of a text, a value or a trace, by place and kind; never by value."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from runwright.secrets.allowlist import Allowlist
from runwright.secrets.detect import Scanner
from runwright.secrets.finding import Finding, Span
from runwright.secrets.leaves import Leaf, leaves
from runwright.secrets.views import unescaped
from runwright.trace.model import JSON, Trace

HEADER = "header"
"""What stands for a record's id where the finding is in line 1."""


def scan_text(text: str, *, key: str = "", review: bool = False) -> list[Span]:
    """The secrets of a text that stands under the name `key`; with `review`, also what merely looks like one."""
    return list(Scanner(review=review).spans(text, key))


def flag(text: str) -> list[Span]:
    """The blocking secrets of a text: what matching asks whether a live value may stand for a redacted one."""
    return scan_text(text)


def scan_value(
    value: JSON, allow: Allowlist | None = None, *, record: str = "", file: str = "", review: bool = False
) -> list[Finding]:
    """The secrets of a JSON value that no entry of the allowlist is about, in document order."""
    found = findings_of(value, Scanner(review=review), record)
    return [finding for finding in found if not (allow and allow.allows(finding, file))]


def scan_trace(trace: Trace, allow: Allowlist | None = None, *, file: str = "", review: bool = False) -> list[Finding]:
    """The secrets of a trace that no entry of the allowlist is about, in line order."""
    scanner = Scanner(review=review)
    found = (finding for record, value in values_of(trace) for finding in findings_of(value, scanner, record))
    return [finding for finding in found if not (allow and allow.allows(finding, file))]


def values_of(trace: Trace) -> Iterator[tuple[str, JSON]]:
    """The header and each record as JSON values (with tuples for lists), and the id they are reported by."""
    yield HEADER, msgspec.to_builtins(trace.header)
    for record in trace.records:
        yield record.id, msgspec.to_builtins(record)


def findings_of(value: JSON, scanner: Scanner, record: str = "") -> Iterator[Finding]:
    """Every finding of a value, the allowlist aside."""
    return (finding for finding, _, _ in found_in(value, scanner, record))


def found_in(value: JSON, scanner: Scanner, record: str = "") -> Iterator[tuple[Finding, Leaf, str]]:
    """Every finding of a value with its leaf and the secret itself, which only tells one from another: never show it."""
    for leaf in leaves(value):
        for span in scanner.of_leaf(leaf):
            yield finding_of(leaf, span, scanner, record), leaf, meant(leaf.text[span.start : span.end])


def meant(raw: str) -> str:
    """A secret as it is meant, however deep it was escaped where it stood."""
    for _ in range(8):
        view = unescaped(raw)
        if view is None or view.text == raw:
            break
        raw = view.text
    return raw


def finding_of(leaf: Leaf, span: Span, scanner: Scanner, record: str) -> Finding:
    """The finding that a leaf's span is reported as; nothing of it shows a secret, a key's own included."""
    detail = " -> ".join(part for part in ("key" if leaf.kind == "key" else "", span.inner) if part)
    return Finding(scanner.clean(record), scanner.shown(leaf.parts), span.rule, detail, span.review)
