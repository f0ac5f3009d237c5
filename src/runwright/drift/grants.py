"""The normal form of a policy: a grant that another one includes says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from runwright.trace import JSON

PATHS: Final = ("read", "write", "paths", "allow_paths", "deny_paths")
"""Names of lists of paths: one includes what lies below it."""

DOMAINS: Final = ("allowed_domains", "domains", "hosts", "allow_egress")
"""Names of lists of hosts: case does not count, and `*.example.com` includes every host below it."""

NAMES: Final = ("allow", "deny", "tools", "scopes")
"""Names of lists that are sets of names."""


def normal_policy(policy: JSON) -> JSON:
    """The policy with each list of grants as a set, less what other grants include: to write is to read.

    Lists of any other name keep their order: in rules the first that applies may decide.
    """
    if isinstance(policy, list):
        return [normal_policy(each) for each in policy]
    if not isinstance(policy, dict):
        return policy
    made = {name: _grants(name, value) for name, value in policy.items()}
    reads, writes = made.get("read"), made.get("write")
    if isinstance(reads, list) and isinstance(writes, list):
        made["read"] = [each for each in reads if not any(_within(str(each), str(one)) for one in writes)]
    elif reads is False and writes is True:
        made["read"] = True
    return {name: value for name, value in made.items() if not (_is_grants(name) and value == [])}


def _is_grants(name: str) -> bool:
    return name in PATHS or name in DOMAINS or name in NAMES


def _grants(name: str, value: JSON) -> JSON:
    texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
    if not isinstance(value, list) or len(texts) != len(value) or not _is_grants(name):
        return normal_policy(value)
    if name in PATHS:
        return _widest([_path(each) for each in texts])
    if name in DOMAINS:
        return _widest_hosts([each.lower() for each in texts])
    return list[JSON](sorted(set(texts)))


def _path(text: str) -> str:
    """A path without steps that lead nowhere; `..` stays, since links decide where it leads."""
    return str(PurePosixPath(text))


def _widest(paths: Sequence[str]) -> JSON:
    once = sorted(set(paths))
    return [each for each in once if not any(_within(each, one) for one in once if one != each)]


def _within(path: str, folder: str) -> bool:
    """Whether a path is the folder or lies below it; one with `..` lies nowhere."""
    one, other = PurePosixPath(path), PurePosixPath(folder)
    return one == other or (".." not in one.parts and other in one.parents)


def _widest_hosts(hosts: Sequence[str]) -> JSON:
    once = sorted(set(hosts))
    wide = [each[1:] for each in once if each.startswith("*.")]
    return [each for each in once if not any(each.lstrip("*").endswith(one) and each != f"*{one}" for one in wide)]
