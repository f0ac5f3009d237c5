"""What the agent's environment holds: handles replaced, the suite's variables passed, all else withheld."""

import pytest

from runwright.run.environment import agent_environment

BASE = "http://127.0.0.1:4000"


def environment(own: dict[str, str] | None = None, **more: object) -> dict[str, str]:
    return agent_environment({"PATH": "/bin", "TOKEN": "t"}, base_url=BASE, prompt="p", own=own, **more)


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("${flowproof.proxy_url}", f"{BASE}/v1"),
        ("${flowproof.proxy_url_no_v1}", BASE),
        ("${runwright.proxy_url}", f"{BASE}/v1"),
        ("${runwright.proxy_url_no_v1}", BASE),
        ("${runwright.base_url}", f"{BASE}/v1"),
        ("${runwright.base_url_no_v1}", BASE),
        ("x=${runwright.base_url}/y?z=${flowproof.proxy_url}", f"x={BASE}/v1/y?z={BASE}/v1"),
        ("${flowproof.mcp_url.exports}", "http://127.0.0.1:5000/mcp"),
        ("${runwright.mcp_url.exports}", "http://127.0.0.1:5000/mcp"),
        ("${flowproof.mcp_url.other}", "${flowproof.mcp_url.other}"),
        ("${flowproof.nonsense}", "${flowproof.nonsense}"),
        ("${flowproof.base_url}", "${flowproof.base_url}"),
        ("${TOKEN} $TOKEN", "${TOKEN} $TOKEN"),
    ],
)
def test_handles(written: str, seen: str) -> None:
    assert environment({"A": written}, mcp_urls={"exports": "http://127.0.0.1:5000/mcp"})["A"] == seen


def test_only_what_is_allowed_is_passed_and_the_flows_own_values_come_last() -> None:
    assert "TOKEN" not in environment()
    assert environment(allow=["TOKEN"])["TOKEN"] == "t"
    assert environment({"OPENAI_BASE_URL": "mine"})["OPENAI_BASE_URL"] == "mine"
    assert environment({"TOKEN": "own"}, allow=["TOKEN"])["TOKEN"] == "own"


def test_prompts_and_addresses_are_given_under_both_names() -> None:
    found = environment()
    assert found["FLOWPROOF_PROMPT"] == found["RUNWRIGHT_PROMPT"] == "p"
    assert found["FLOWPROOF_LLM_PROXY"] == found["OPENAI_BASE_URL"] == found["OPENAI_API_BASE"] == f"{BASE}/v1"
    assert found["ANTHROPIC_BASE_URL"] == BASE
