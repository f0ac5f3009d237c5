"""Digests of policies are no secrets, whatever the policies are called."""

import pytest

from runwright.secrets import redact_trace, scan_trace
from runwright.trace import Header, MessageRecord, Specification, TextBlock, Trace, digest, dumps_trace, loads_trace


def trace(name: str, text: str = "Hello.") -> Trace:
    header = Header(kind="run", trace_id="t", specification=Specification(policies={name: digest(["/srv"])}))
    return Trace(header=header, records=(MessageRecord(id="u1", role="user", content=(TextBlock(text=text),)),))


@pytest.mark.parametrize("name", ["password", "api_key", "client_secret"])
def test_a_policy_with_the_name_of_a_secret_keeps_its_digest(name: str) -> None:
    assert scan_trace(trace(name)) == []
    redacted, counts = redact_trace(trace(name, "my password is hunter2-Rq9"))
    assert counts
    assert loads_trace(dumps_trace(redacted)).header.specification == Specification(policies={name: digest(["/srv"])})


def test_a_secret_in_the_name_of_a_policy_is_replaced() -> None:
    key = "sk-proj-" + "Zq3xV7bK9mT2" * 4
    assert [finding.record for finding in scan_trace(trace(key))] == ["header"]
    redacted, _ = redact_trace(trace(key))
    policies = redacted.header.specification.policies if redacted.header.specification else None
    assert policies
    assert key not in policies
    assert list(policies.values()) == [digest(["/srv"])]
