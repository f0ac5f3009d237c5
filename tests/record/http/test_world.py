"""Requests are seen from within a throw-away world too, whose layers would hide the pipe that they are told on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runwright.record.http import Hooks, http_effects
from runwright.record.observe import Orders, Supervised, cannot_observe
from tests.record.http.service import serving
from tests.record.observe.nobody import USER, become_nobody, shared_folder

POST = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + '/plain', b'x').read()"


@pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())
@pytest.mark.parametrize("ordinary", [False, True])
@pytest.mark.parametrize("thrown_away", [False, True])
def test_requests_from_a_world_of_its_own(ordinary: bool, thrown_away: bool) -> None:
    with shared_folder() as folder, serving() as service, Hooks(dict(os.environ)) as hooks:
        pipe = Path(hooks.environment["RUNWRIGHT_SEEN"])
        if ordinary and os.getuid() == 0:
            for each in (pipe, pipe.parent):
                os.chown(each, USER, USER)
        orders = Orders(str(folder), str(folder), 1.0, layer=str(folder) if thrown_away else None)
        with Supervised(orders) as supervised:
            done = subprocess.run(
                supervised.arguments([sys.executable, "-c", POST, service.url]), pass_fds=supervised.descriptors,
                env=hooks.environment, capture_output=True, preexec_fn=become_nobody if ordinary else None,
            )  # fmt: skip
            log = supervised.log()
        assert (done.returncode, log.unable, log.status) == (0, "", 0), (done.stderr, log)
        assert len(service.heard) == 1
        found = http_effects(hooks.seen(), None)
    assert [each.side_effect.op for each in found.effects] == ["POST"]
