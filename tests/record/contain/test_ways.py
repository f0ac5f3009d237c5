"""Every way out is refused and told, all that is allowed works, and left alone the same ways do get out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from runwright.record.contain import cannot_contain
from runwright.record.observe.watching.network.reach import APART, OBSERVED, SHARED
from tests.record.contain.ways_out import OUT, SLOW, WAYS, Way
from tests.samples import ROOT

UNABLE = cannot_contain(APART)
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
NODE, CURL = "stand_in_by_node", "stand_in_by_curl"
PROGRAMS = {NODE: "node", CURL: "curl"}
RUNS = [(APART, ""), (SHARED, ""), *([(APART, "nobody"), (SHARED, "nobody")] if os.geteuid() == 0 else [])]
EXCHANGED = ("unix:@\\x01", f"{OUT}34:443")
"""How addresses begin that a thread exchanges for others, half written ones too: how often is a matter of chance."""


def _there(name: str) -> bool:
    return name not in PROGRAMS or shutil.which(PROGRAMS[name]) is not None


@pytest.fixture(scope="module")
def runs() -> dict[tuple[str, str], dict[str, Any]]:
    """All ways: left alone, held in a network of their own and in a shared one, as this user and as an ordinary one."""
    found = {}
    for who in dict.fromkeys(who for _, who in RUNS):
        hows = [how for how, its in RUNS if its == who] + ([OBSERVED] if not who else [])
        names = [name for name in WAYS if not (who and name in SLOW) and _there(name)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.record.contain.batch", ",".join(hows), *([who] if who else []), *names],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        for how, told in json.loads(done.stdout).items():
            assert (told["status"], told["faults"]) == (0, []), (how, who, told["errors"])
            found[how, who] = told
    return found


def wanted(way: Way, how: str, told: dict[str, Any]) -> tuple[str, set[str]]:
    """How a way goes, and what is told of it."""
    goes, blocked = (way.shared, way.shared_told) if how == SHARED else (way.goes, way.told)
    for mark, value in (("world", told["world"]), ("uid", told["mark"])):
        blocked = tuple(each.replace(f"@{mark}@", value) for each in blocked)
    return goes, set(blocked)


CASES = [(run, name) for run in RUNS for name in WAYS if run == (APART, "") or name not in SLOW]


@pytest.mark.parametrize(("run", "name"), CASES, ids=[" ".join(filter(None, (*run, name))) for run, name in CASES])
def test_way(runs: dict[tuple[str, str], dict[str, Any]], run: tuple[str, str], name: str) -> None:
    if not _there(name):
        pytest.skip(f"there is no {PROGRAMS[name]} here")
    told = runs[run]
    goes, blocked = wanted(WAYS[name], run[0], told)
    went, took = told["went"][name]
    assert went == goes
    assert blocked <= set(told["blocked"])
    assert took < 20, "it waits for an answer that does not come"


@pytest.mark.parametrize("run", RUNS, ids="-".join)
def test_nothing_else_is_told(runs: dict[tuple[str, str], dict[str, Any]], run: tuple[str, str]) -> None:
    told = runs[run]
    all_of_them = {each for name in told["went"] for each in wanted(WAYS[name], run[0], told)[1]}
    assert {each for each in told["blocked"] if not each.startswith(EXCHANGED)} == all_of_them
    assert told["faults"] == []
    assert told["by"][0] == ("seccomp" if run[0] == SHARED else "network namespace")


@pytest.mark.parametrize("run", RUNS, ids="-".join)
def test_nothing_gets_out_but_what_is_allowed(
    runs: dict[tuple[str, str], dict[str, Any]], run: tuple[str, str]
) -> None:
    """Counted where it would arrive. The one connection to the sink is the test's own, which the run inherits."""
    told = runs[run]
    allowed = {f"{OUT}100:443": 1, "2001:db8:1::5:8443": 1, f"127.0.0.1:{told['sink']}": 1, "slow": 3 << 20}
    allowed |= {f"{OUT}101:443": 1} | ({f"datagram {OUT}102": 1} if run[0] == APART else {})
    assert told["reached"] == allowed


def test_left_alone_they_get_out(runs: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Else that they are refused would prove nothing."""
    reached = runs[OBSERVED, ""]["reached"]
    for name, way in WAYS.items():
        for each in way.told:
            if each.startswith(f"udp://{OUT}"):
                assert reached.get(f"datagram {each[6:].rpartition(':')[0]}"), name
            elif each.startswith(OUT) and name != "network_of_its_own":
                assert reached.get(each), name
    assert reached[f"{runs[OBSERVED, '']['world']}/outside"] >= 2
    assert reached["datagram ?"] >= 3
    assert reached[f"{OUT}34:443"], "the address was never exchanged, so that nothing was tried"


def test_left_alone_they_are_told(runs: dict[tuple[str, str], dict[str, Any]]) -> None:
    told = runs[OBSERVED, ""]
    assert told["by"] == []
    assert told["blocked"] == []
    seen = {(protocol, address, port, name) for protocol, verdict, address, port, name, _ in told["told"]}
    for each in ("tcp", OUT + "1", 443, ""), ("tcp", "2001:db8::3", 443, ""), ("udp", OUT + "9", 9, ""):
        assert each in seen
    assert ("dns", "", 0, "packet.example.com") in seen
    assert ("tcp", OUT + "14", 443, "") in seen
    assert ("tcp", OUT + "60", 443, "seen.example.com") in seen


def test_how_often_is_told(runs: dict[tuple[str, str], dict[str, Any]]) -> None:
    times = {(each[2], each[3]): each[5] for each in runs[APART, ""]["told"]}
    assert times[OUT + "33", 443] == 200
    assert times[OUT + "1", 443] == 1
