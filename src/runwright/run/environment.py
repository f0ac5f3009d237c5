"""What the agent process gets to see of the caller's environment, and what is put into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runwright.flow.handles import with_handles

PLACEHOLDER_KEY = "runwright-placeholder-key"

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "TERM",
        "COLORTERM",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "CONDA_PREFIX",
        "CONDA_DEFAULT_ENV",
        "NODE_PATH",
        "NVM_DIR",
        "NVM_BIN",
        "JAVA_HOME",
        "GOPATH",
        "GOROOT",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "GEM_HOME",
        "GEM_PATH",
        "DOTNET_ROOT",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "SYSTEMROOT",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR",
    }
)
"""The caller's variables that an agent gets unasked. Credentials are withheld by not being here."""

ALLOWED_PREFIX = "LC_"


def agent_environment(
    caller: Mapping[str, str],
    *,
    base_url: str,
    prompt: str,
    allow: Iterable[str] = (),
    own: Mapping[str, str] | None = None,
    mcp_urls: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The agent's whole environment: the allowed part of the caller's, what replay needs, then the flow's own values.

    `base_url` is the replay server's origin, without `/v1`. `allow` names further variables of the caller's to
    pass on. `own` is applied last, with its handles (`${runwright.base_url}`) replaced; `mcp_urls` gives the
    addresses of MCP stand-ins by name.
    """
    wanted = ALLOWED | frozenset(allow)
    passed = {name: value for name, value in caller.items() if name in wanted or name.startswith(ALLOWED_PREFIX)}
    resolved = {name: with_handles(value, base_url, mcp_urls or {}) for name, value in (own or {}).items()}
    return {**passed, **_injected(base_url, prompt), **resolved}


def where_served(base_url: str) -> dict[str, str]:
    """What points a model client at the replay server: base addresses and keys that are none."""
    versioned = f"{base_url}/v1"
    return {
        "OPENAI_BASE_URL": versioned,
        "OPENAI_API_BASE": versioned,
        "OPENAI_BASE": versioned,
        "RUNWRIGHT_BASE_URL": versioned,
        "ANTHROPIC_BASE_URL": base_url,
        "OPENAI_API_KEY": PLACEHOLDER_KEY,
        "ANTHROPIC_API_KEY": PLACEHOLDER_KEY,
        "RUNWRIGHT": "replay",
    }


def _injected(base_url: str, prompt: str) -> dict[str, str]:
    return {
        **where_served(base_url),
        "FLOWPROOF_LLM_PROXY": f"{base_url}/v1",
        "RUNWRIGHT_PROMPT": prompt,
        "FLOWPROOF_PROMPT": prompt,
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        "PYTHONUNBUFFERED": "1",
    }
