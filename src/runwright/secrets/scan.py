"""The secrets of a text, a value or a trace, by place and kind; never by value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import msgspec

from runwright.secrets.allowlist import Allowlist
from runwright.secrets.detect import Scanner, merged
from runwright.secrets.echo import Known, meant
from runwright.secrets.finding import Finding, Span, Stretch
from runwright.secrets.leaves import Leaf, leaves
from runwright.secrets.located import Parts
from runwright.trace.model import JSON, Header, Trace

HEADER = "header"
"""What stands for a record's id where the finding is in line 1."""

Values: TypeAlias = Callable[[], Iterable[tuple[str, JSON]]]
"""Gives values with the records that they are of, as often as it is asked."""

Found: TypeAlias = tuple[Finding, Leaf, str]
"""A finding with its leaf and the secret itself, which only tells one from another: never show it."""


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
    return _found(lambda: [(record, value)], Scanner(review=review), allow, file)


def scan_trace(trace: Trace, allow: Allowlist | None = None, *, file: str = "", review: bool = False) -> list[Finding]:
    """The secrets of a trace that no entry of the allowlist is about, in line order."""
    return _found(lambda: values_of(trace), Scanner(review=review), allow, file)


def _found(values: Values, scanner: Scanner, allow: Allowlist | None, file: str) -> list[Finding]:
    def allows(finding: Finding) -> bool:
        return bool(allow and allow.allows(finding, file))

    return [finding for finding, _, _ in secrets_in(values, scanner, allows) if not allows(finding)]


def values_of(trace: Trace) -> Iterator[tuple[str, JSON]]:
    """The header and each record as JSON values (with tuples for lists), and the id they are reported by."""
    yield HEADER, msgspec.to_builtins(_undigested(trace.header))
    for record in trace.records:
        yield record.id, msgspec.to_builtins(record)


def _undigested(header: Header) -> Header:
    """The header with the names of its policies and without their digests: one of `api_key` is no key."""
    told = header.specification
    if told is None or told.policies is None:
        return header
    return msgspec.structs.replace(
        header, specification=msgspec.structs.replace(told, policies=dict.fromkeys(told.policies, ""))
    )


def secrets_in(values: Values, scanner: Scanner, allows: Callable[[Finding], bool]) -> Iterator[Found]:
    """Every finding of values that belong together, also where nothing but the secret itself, found elsewhere, tells.

    What `allows` says to be no secret is found where a rule finds it, and not looked for elsewhere.
    """
    found = [each for record, value in values() for each in _by_rules(value, scanner, record)]
    rules = {secret: each.rule for each, _, secret in reversed(found) if not each.review and not allows(each)}
    if not rules:
        yield from found
        return
    known = Known(rules)
    for record, value in values():
        yield from _by_rules(value, scanner, record, known)


def _by_rules(value: JSON, scanner: Scanner, record: str, known: Known | None = None) -> Iterator[Found]:
    if known is None and not scanner.likely(value):
        return
    told: dict[Parts, list[Span]] = {}
    for leaf in leaves(value):
        spans = scanner.of_leaf(leaf)
        if known is not None and leaf.kind != "number":
            spans = merged((*spans, *known.spans(leaf.text)))
        for span in spans:
            if leaf.kind == "text":
                told.setdefault(leaf.parts, []).append(span)
            yield finding_of(leaf, span, scanner, record), leaf, meant(span.of(leaf.text))
    for stretch in scanner.stretches(value):
        parts, start, end = stretch.pieces[0]
        if all(end <= span.start or span.end <= start for span in told.get(parts, ())):
            yield finding_of_pieces(stretch, scanner, record), Leaf(parts, "", ""), meant(stretch.of(value))


def finding_of_pieces(stretch: Stretch, scanner: Scanner, record: str) -> Finding:
    """The finding that a secret in pieces is reported as: where its first piece is."""
    detail = f"joined -> {stretch.inner}" if stretch.inner else "joined"
    return Finding(scanner.clean(record), scanner.shown(stretch.pieces[0][0]), stretch.rule, detail)


def finding_of(leaf: Leaf, span: Span, scanner: Scanner, record: str) -> Finding:
    """The finding that a leaf's span is reported as; nothing of it shows a secret, a key's own included."""
    detail = " -> ".join(part for part in ("key" if leaf.kind == "key" else "", span.inner) if part)
    return Finding(scanner.clean(record), scanner.shown(leaf.parts), span.rule, detail, span.review)
