"""Write the traces whose fingerprints are kept, and their fingerprints: python -m scripts.stability.traces

With --prints the traces stay as they are, and only their fingerprints are taken anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from scripts.stability.check import PRINTS, TRACES, taken, text_of
from tests.fingerprint.runs import Ask, Rendering, Turn, rendered

from runwright.trace import (
    FaultRecord,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    ModelRecord,
    ModelResponse,
    PolicyRecord,
    Record,
    RefusalBlock,
    SideEffect,
    SideEffectRecord,
    Trace,
    dumps_trace,
)

LOOK, PAY, MAIL = Ask("look", {"order": "A-1"}), Ask("pay", {"amount": 40}), Ask("mail", {"to": "x", "cc": ["y"]})
A, B, C = Turn((LOOK,), "a"), Turn((PAY,), "b"), Turn((MAIL,), "c")
END = Turn(says="done")
INNER = (Turn((Ask("x"),), "in", agent="w"), Turn(says="out", agent="w"))
ALL = dict.fromkeys(("fs_write", "fs_delete", "http_request", "db_change"), "observed")


def shaped(**arguments: Any) -> tuple[Turn, ...]:
    return (Turn((Ask("shape", arguments),), "s"), END)


RUNS: dict[str, Sequence[Turn]] = {
    "no-call": (END,),
    "one-call": (A, END),
    "two-calls": (A, B, END),
    "other-order": (B, A, END),
    "twice": (A, A, END),
    "thrice": (A, A, A, END),
    "many": (A,) * 12 + (END,),
    "loop": (A, B) * 2 + (END,),
    "many-loops": (A, B) * 7 + (END,),
    "loop-of-loops": ((A, B) * 2 + (C,)) * 2 + (END,),
    "parallel": (Turn((LOOK, PAY), "p"), END),
    "parallel-twice": (Turn((PAY, PAY), "p"), END),
    "parallel-many": (Turn((PAY,) * 9, "p"), END),
    "parallel-rows": (Turn((LOOK, PAY), "p"),) * 5 + (END,),
    "unfinished": (A, B),
    "error": (A, Turn(error=500)),
    "timeout": (A, Turn(error=504)),
    "recovered": (A, Turn(error=503), B, END),
    "tool-error": (Turn((Ask("pay", outcome="error"),), "e"), END),
    "denied": (Turn((Ask("pay", outcome="denied"),), "e"), END),
    "models": (Turn((LOOK,), "a", "large"), Turn((PAY,), "b", "small"), Turn(says="done", model="large")),
    "agents": (
        Turn((LOOK,), "a", agent="desk"),
        Turn((PAY,), "b", agent="bank"),
        Turn(says="done", agent="desk"),
    ),
    "nested": (Turn((Ask("sub", {"q": "?"}, INNER),), "n"), END),
    "nested-beside": (Turn((Ask("sub", {}, INNER), Ask("sub", {}, INNER), LOOK), "n"), END),
    "nested-deep": (Turn((Ask("sub", {}, (Turn((Ask("sub", {}, INNER),), "d", agent="v"), END)),), "n"), END),
    "mcp": (Turn((Ask("mcp__files__write", {"path": "p"}, server="files"),), "m"), END),
    "names": (Turn((Ask("a b"), Ask("x1"), Ask('say "no"'), Ask("größe"), Ask("🜁"), Ask("(,)")), "q"), END),
    "no-arguments": (Turn((Ask("pay", None), Ask("pay", {})), "n"), END),
    "numbers": shaped(
        tenth=0.1,
        tiny=5e-324,
        large=1.7976931348623157e308,
        e16=1e16,
        e21=1e21,
        minus=-0.0,
        exact=2**53,
        past=2**53 + 1,
    ),
    "types": shaped(null=None, yes=True, text="", list=[], empty={}, mixed=[1, "a", None, [2.5], {"k": 1}]),
    "deep": shaped(a={"b": [{"c": {"d": [[[{"e": 1}]]]}}]}),
    "keys": shaped(**{"größe": 1, "a.b": 1, "a[0]": 1, "": 1, "e\u0301": 1, "\u00e9": 1, "\U0001f701": 1, "\uff21": 1}),
    "id-keys": shaped(
        **{"4471": 1, "9b2f6c1e-8d3a-4b5c-9e7f-0a1b2c3d4e5f": 1, "cus_9f3kd2h1": 1, "v1": 1, "2026-11-30": 1}
    ),
    "long-names": (Turn((Ask("n" * 300, {"k" * 300: 1}),), "l"), END),
}
WAYS: dict[str, Rendering] = {
    "replies-alone": Rendering(tools=False, mcp=False),
    "without-times": Rendering(timed=False),
    "without-ids": Rendering(tool_ids=False),
    "shuffled": Rendering(shuffle=7),
}


def traces() -> Iterator[tuple[str, Trace]]:
    """Every trace with its name."""
    yield from ((name, rendered(run)) for name, run in RUNS.items())
    yield from ((f"parallel-rows-{name}", rendered(RUNS["parallel-rows"], how)) for name, how in WAYS.items())
    base = rendered((A, B, END), observation=ALL)
    yield "effects-watched", base
    yield "effects", also(base, effect(1, "fs_write"), effect(2, "fs_write"), effect(3, "db_change"))
    yield "effects-requests", also(base, effect(1, "http_request", "POST https://a.example/orders/17/lines?b=1&a=2"))
    yield (
        "endpoints",
        also(
            base,
            http(1, "get", "HTTPS://Shop.Example:443/orders/A-4471?state=open#top"),
            http(2, "POST", "http://127.0.0.1:50123/v1/chat/completions"),
            http(3, "POST", "http://localhost:8080/v1/chat/completions"),
            http(4, "GET", "https://shop.example/users/ann%40mail.example"),
        ),
    )
    bare = msgspec.structs.replace(base, records=())
    yield "empty", bare
    yield "http-alone", also(bare, http(1, "GET", "https://a.example/x"), http(2, "PUT", "https://a.example/x/7", "h1"))
    yield "truncated", also(base, FaultRecord(id="f1", kind="truncation", detail="cut"))
    yield "interrupted", also(base, FaultRecord(id="f1", kind="interruption", detail="killed"))
    yield "blind", also(base, FaultRecord(id="f1", kind="observer_failed", detail="gone", hides=("model", "fs_write")))
    yield "policy", also(base, PolicyRecord(id="p1", policy="refunds", verdict="deny", reason="twice"))
    yield "refused", refused(base)
    yield "unknown", unknown(base)


def also(trace: Trace, *records: Record) -> Trace:
    return msgspec.structs.replace(trace, records=(*trace.records, *records))


def effect(number: int, kind: Any, target: str = "out.csv") -> SideEffectRecord:
    return SideEffectRecord(id=f"e{number}", side_effect=SideEffect(kind=kind, target=target))


def http(number: int, method: str, url: str, *after: str) -> HttpRecord:
    request, response = HttpRequest(method=method, url=url), HttpResponse(status=200)
    return HttpRecord(id=f"h{number}", after=after, request=request, response=response, fidelity="raw")


def refused(trace: Trace) -> Trace:
    *rest, last = trace.records
    assert isinstance(last, ModelRecord)
    answer = ModelResponse(content=(RefusalBlock(text="no"),), stop_reason=None)
    return msgspec.structs.replace(trace, records=(*rest, msgspec.structs.replace(last, response=answer)))


def unknown(trace: Trace) -> Trace:
    """An export without model names, and without the arguments of calls."""
    hidden = ("$.request.model", "$.response.content[*].arguments")
    records = tuple(
        msgspec.structs.replace(each, unknown=hidden) if isinstance(each, ModelRecord) else each
        for each in trace.records
    )
    return msgspec.structs.replace(trace, records=records)


def main() -> None:
    """Write them all."""
    if "--prints" not in sys.argv:
        found = dict(traces())
        for path in TRACES.glob("*.jsonl"):
            if path.stem not in found:
                path.unlink()
        for name, trace in found.items():
            Path(TRACES / f"{name}.jsonl").write_bytes(dumps_trace(trace))
    PRINTS.write_text(text_of(taken()), encoding="utf-8")


if __name__ == "__main__":
    main()
