"""Every real trace is read or refused for a stated reason; the numbers were counted by hand in the files."""

from __future__ import annotations

from runwright.readers import read_foreign
from tests.samples import samples_dir

FOLDER = "flowproof-trace"
SAP = "flowproof__examples__sap__"


def test_what_the_sap_steps_did() -> None:
    trace = read_foreign([samples_dir(FOLDER) / f"{SAP}stock-overview.trace.jsonl"])
    assert [(each.side_effect.target, each.side_effect.op) for each in trace.effects] == [
        ("MMBE", "launch"),
        ("MMBE wnd[0]/usr/ctxtMS_MATNR-LOW", "type_text"),
        ("MMBE Execute", "click"),
    ]
