"""SAP steps as `sap_transaction` effects: whatever drives the system, never what only looks at it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runwright.dialects.fields import list_at, object_at, text_at
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, SideEffect, SideEffectRecord

LAUNCH = "launch"
READ_ONLY = frozenset({"assert", "wait", "capture", "focus_window", "scroll"})
"""Actions that look, wait or move the view: they change nothing, and are no effect."""

NAMED_BY = ("id", "text", "name", "css", "context")
"""What a selector's payload may name its element by, the most stable first."""

_CODE = re.compile(r"/(?:n|o|\*)(?=[A-Za-z/])|/(?:n|o|\*)$", re.IGNORECASE)


class SapSession:
    """Remembers which transaction the steps are in."""

    def __init__(self) -> None:
        self.transaction = ""

    def effect_of(self, step: Mapping[str, JSON], place: str, reading: Reading) -> SideEffectRecord | None:
        """The effect of a step; a step that only reads is a loss and no effect.

        The target is the transaction's code and the element's own id, such as `VA01 wnd[0]/usr/ctxtVBAK-AUART`.
        """
        action = object_at(step["action"], f"{place}: $.action")
        kind = text_at(action.get("type"), f"{place}: $.action.type")
        params = object_at(action.get("params", {}), f"{place}: $.action.params")
        if kind in READ_ONLY:
            reading.lose("dropped", f"a step that only reads: {_named(kind, params)}", place)
            return None
        if kind == LAUNCH:
            self.transaction = transaction_of(params)
        element = _element(step, place)
        target = " ".join(part for part in (self.transaction, element) if part)
        return SideEffectRecord(
            id="",
            side_effect=SideEffect(
                kind="sap_transaction", target=target or "(unknown target)", op=kind, detail=_detail(step, params)
            ),
        )


def transaction_of(params: Mapping[str, JSON]) -> str:
    """The transaction's code: `/nVA01` starts VA01. A `${VAR}` stays as it is."""
    url = params.get("url", params.get("transaction", ""))
    return _CODE.sub("", url, count=1) if isinstance(url, str) else ""


def _element(step: Mapping[str, JSON], place: str) -> str:
    """What the first selector names its element by; nothing where the step is about the whole window."""
    for at, each in enumerate(list_at(step.get("selectors"), f"{place}: $.selectors")):
        selector = object_at(each, f"{place}: $.selectors[{at}]")
        payload = object_at(selector.get("payload", {}), f"{place}: $.selectors[{at}].payload")
        for key in NAMED_BY:
            if isinstance(payload.get(key), str):
                return str(payload[key])
    return ""


def _detail(step: Mapping[str, JSON], params: Mapping[str, JSON]) -> dict[str, JSON]:
    """The step's parameters, its id and what it was meant to do."""
    own: dict[str, JSON] = {key: step[key] for key in ("id", "intent") if step.get(key) is not None}
    return {**own, "params": dict(params)} if params else own


def _named(kind: str, params: Mapping[str, JSON]) -> str:
    found = params.get("kind")
    return f"{kind} {found}" if isinstance(found, str) else kind
