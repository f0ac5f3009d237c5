"""Every real trace is read or refused for a stated reason; the numbers were counted by hand in the files."""

from __future__ import annotations

from collections import Counter

import pytest

from runwright.readers import read_foreign
from runwright.trace import dumps_trace, lane_of, loads_trace
from tests.samples import samples_dir

FOLDER = "flowproof-trace"
SAP = "flowproof__examples__sap__"
COUNTED = {
    f"{SAP}create-order.trace.jsonl": {"side_effect": 3},
    f"{SAP}session-status.trace.jsonl": {"side_effect": 1},
    f"{SAP}stock-overview.trace.jsonl": {"side_effect": 3},
    f"{SAP}view-order.trace.jsonl": {"side_effect": 3},
    "flowproof__crates__flowproof-trace__tests__fixtures__multi.trace.jsonl": {"side_effect": 1, "http": 1},
    "flowproof__tests__flowproof__goose__smoke.trace.jsonl": {"model": 2, "message": 2},
}


def test_every_sample_is_counted() -> None:
    assert {path.name for path in samples_dir(FOLDER).iterdir()} == set(COUNTED)


@pytest.mark.parametrize("name", COUNTED)
def test_read(name: str) -> None:
    trace = read_foreign([samples_dir(FOLDER) / name])
    assert Counter(map(lane_of, trace.records)) == COUNTED[name]
    assert loads_trace(dumps_trace(trace)) == trace
    assert trace.header.losses or trace.models


def test_what_the_sap_steps_did() -> None:
    trace = read_foreign([samples_dir(FOLDER) / f"{SAP}stock-overview.trace.jsonl"])
    assert [(each.side_effect.target, each.side_effect.op) for each in trace.effects] == [
        ("MMBE", "launch"),
        ("MMBE wnd[0]/usr/ctxtMS_MATNR-LOW", "type_text"),
        ("MMBE Execute", "click"),
    ]
