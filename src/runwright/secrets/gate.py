"""The gate on every path that writes: what holds a secret is refused, or redacted where that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import yaml

from runwright.errors import SecretsFound
from runwright.secrets.allowlist import FILE, Allowlist
from runwright.secrets.detect import Scanner, merged
from runwright.secrets.echo import Known, meant
from runwright.secrets.finding import Finding
from runwright.secrets.redact import redact_trace
from runwright.secrets.scan import scan_trace, scan_value
from runwright.trace.model import Trace

LISTED = 50
YAML_ENDINGS = (".yaml", ".yml", ".yaml.new", ".yml.new")


def gate_trace(
    trace: Trace, *, redact: bool, allow: Allowlist | None = None, name: str, known: Iterable[str] = ()
) -> Trace:
    """The trace as it may be written under `name`: as it is, or redacted, `known` texts too. Raises SecretsFound."""
    if redact:
        trace, _ = redact_trace(trace, allow, file=name, known=known)
    refuse(scan_trace(trace, allow, file=name), name)
    return trace


def gate_text(text: str, name: str, allow: Allowlist | None = None) -> None:
    """Let a text be written under `name`, or raise SecretsFound. YAML is read as its lines and as its values."""
    findings = [finding for finding in findings_of_text(text) if not (allow and allow.allows(finding, name))]
    if name.endswith(YAML_ENDINGS) and not findings:
        findings = _findings_of_yaml(text, name, allow)
    refuse(findings, name)


def findings_of_text(text: str) -> list[Finding]:
    """The secrets of a text, by line; also where nothing but the secret itself, found elsewhere in it, tells."""
    return [finding for finding, _ in secrets_of_text(text, Scanner())]


def secrets_of_text(text: str, scanner: Scanner) -> Iterator[tuple[Finding, str]]:
    """The same with the secrets themselves, which only tell one from another: never show one."""
    spans = scanner.spans(text)
    known = Known({meant(span.of(text)): span.rule for span in reversed(spans)})
    line, at = 1, 0
    for span in merged((*spans, *known.spans(text))) if spans else ():
        line += text.count("\n", at, span.start)  # from the last one on: there may be very many
        at = span.start
        yield Finding("", f"line {line}", span.rule, span.inner), meant(span.of(text))


def _findings_of_yaml(text: str, name: str, allow: Allowlist | None) -> list[Finding]:
    try:
        documents = list(yaml.safe_load_all(text))
    except yaml.YAMLError:  # its lines were read; what is wrong with it is told by whoever reads it as a flow
        return []
    return [finding for value in documents for finding in scan_value(value, allow, file=name)]


def refuse(findings: Sequence[Finding], name: str) -> None:
    """Raise SecretsFound listing place and kind of each finding, if there is one; the values are not shown."""
    if not findings:
        return
    lines = [f"  {finding}" for finding in findings[:LISTED]]
    if len(findings) > LISTED:
        lines.append(f"  and {len(findings) - LISTED} more")
    count = "1 secret" if len(findings) == 1 else f"{len(findings)} secrets"
    raise SecretsFound(
        "\n".join((f"{count} found, nothing was written", *lines)),
        place=name,
        hint=f"--redact puts tokens in their place; a value that is no secret is let pass by an entry in {FILE}",
    )
