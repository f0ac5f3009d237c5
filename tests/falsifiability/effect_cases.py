"""Runs that an assertion on side effects or on the network, or `effects: strict`, must turn red.

What is asked of an effect is judged on a recording that was watched; that it is seen at all, and whether it is the
recorded one, on an agent that really does something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runwright.trace.digests import digest_bytes
from runwright.trace.model import EFFECT_KINDS, JSON, EffectKind, EffectState, SideEffect, SideEffectRecord
from tests.falsifiability.stage import Case, conversation

TALK = conversation()
MUST, NONE, STRICT = "assert_side_effect", "assert_no_side_effect", "effects: strict"
EGRESS = "assert_no_egress"
FILES: tuple[EffectKind, ...] = ("fs_write", "fs_delete", "fs_rename", "fs_truncate")


def state(text: str, *, kept: bool = True) -> EffectState:
    data = text.encode("latin-1")
    return EffectState(digest=digest_bytes(data), size=len(data), content=text if kept else None)


def _recorded() -> Iterator[Case]:
    """Each kind, in a recording that watched it: no agent can be made to do all of them here."""
    for kind in EFFECT_KINDS:
        effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind=kind, target="out/report"))
        for name, check, says, seen, step in (
            ("missing", MUST, "was seen", (), {MUST: {"kind": kind}}),
            ("elsewhere", f"{MUST}: target", "seen instead", (effect,), {MUST: {"kind": kind, "target": "in/*"}}),
            ("forbidden", NONE, "out/report", (effect,), {NONE: {"kind": kind}}),
            ("not excepted", NONE, "out/report", (effect,), {NONE: {"kind": kind, "except": ["in/*"]}}),
        ):
            yield Case(
                name=f"{kind} {name}",
                check=check,
                says=says,
                recorded=(*TALK, *seen),
                steps=[step],
                observation={kind: "observed"},
                agent=False,
            )


WROTE = [["write", "out.csv", "A-1,40"]]
OUT = SideEffect(
    kind="fs_write", target="out.csv", op="create", after=state("A-1,40"), diff="+A-1,40\n", detail={"mode": "0644"}
)


def _asked() -> Iterator[Case]:
    """What is asked of an effect, and how often it must have happened."""
    for name, form in (
        ("another op", {"op": "append"}),
        ("another content", {"after": {"content": {"contains": "A-2"}}}),
        ("another size", {"after": {"size": {"greater_than": 9}}}),
        ("another digest", {"after": {"digest": digest_bytes(b"other")}}),
        ("something before", {"where": {"before": {"exists": True}}}),
        ("another diff", {"diff": {"contains": "+A-2"}}),
        ("another detail", {"detail": {"mode": {"equals": "0755"}}}),
    ):
        step: JSON = {MUST: {"kind": "fs_write", "target": "out.csv", **form}}
        yield _watched(name, f"{MUST}: where", "seen instead: fs_write out.csv", step, OUT)
    yield _watched("one of two", f"{MUST}: at least", "it happened once", {MUST: "fs_write at least 2 times"}, OUT)
    yield _watched("two of one", f"{MUST}: at most", "it happened twice", {MUST: "fs_write once"}, OUT, OUT)
    yield _watched("what is excepted", f"{MUST}: except", "seen instead", {MUST: "fs_write except out.csv"}, OUT)
    yield _watched("such an effect", NONE, "out.csv", {NONE: "fs_write where after.content contains A-1"}, OUT)


def _watched(name: str, check: str, says: str, step: JSON, *effects: SideEffect) -> Case:
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(effects, 1)]
    return Case(
        name=name,
        check=check,
        says=says,
        recorded=(*TALK, *records),
        steps=[step],
        observation=dict.fromkeys(FILES, "observed"),
        agent=False,
    )


def _done() -> Iterator[Case]:
    """An agent that really does what it must not, or nothing of what it must."""
    for kind, does, files in (
        ("fs_write", WROTE, {}),
        ("fs_delete", [["delete", "old.csv"]], {"old.csv": "1"}),
        ("fs_rename", [["rename", "old.csv", "out.csv"]], {"old.csv": "1"}),
        ("fs_truncate", [["truncate", "old.csv", 1]], {"old.csv": "123"}),
    ):
        yield _live(f"really {kind}", NONE, ".csv", does, {NONE: {"kind": kind}}, files)
    yield _live("really nothing", MUST, "no fs_write was seen", [], {MUST: {"kind": "fs_write"}})
    moved = [["rename", "old.csv", "out.csv"]]
    yield _live("moved to where none may be", NONE, "old.csv -> out.csv", moved, {NONE: "fs out.csv"}, {"old.csv": "1"})
    reached = [["connect", "203.0.113.7", 443]]
    yield _live("a way out that is tried", EGRESS, "tried to reach 203.0.113.7:443", reached, EGRESS)


def _live(
    name: str, check: str, says: str, does: Sequence[Sequence[JSON]], step: JSON, files: Mapping[str, str] | None = None
) -> Case:
    return Case(name=name, check=check, says=says, recorded=TALK, steps=[step], does=does, files=files or {})


def write(target: str, text: str, **more: object) -> SideEffect:
    return SideEffect(**{"kind": "fs_write", "target": target, "op": "create", "after": state(text), **more})


def strict(
    name: str,
    part: str,
    says: str,
    recorded: Sequence[SideEffect],
    does: Sequence[Sequence[JSON]],
    files: Mapping[str, str] | None = None,
) -> Case:
    """A flow that compares; what is taken out to make it green is `part`."""
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(recorded, 1)]
    return Case(
        name=name,
        check=f"{STRICT}: {part}" if part else STRICT,
        says=says,
        recorded=(*TALK, *records),
        does=does,
        files=files or {},
        flow={"effects": "strict"},
        observation=dict.fromkeys(FILES, "observed"),
    )


LONG = f"{'x' * 99}\n" * 300


def _compared() -> Iterator[Case]:
    """Side effects that are not the recorded ones."""
    out = write("out.csv", "A-1,40")
    yield strict("strict: nothing of what was recorded", "", "1 did not happen: fs_write out.csv (e1)", [out], [])
    yield strict(
        "strict: one did not happen", "did not happen", "fs_write more.csv (e2)", [out, write("more.csv", "")], WROTE
    )
    yield strict("strict: one was not recorded", "was not recorded", "1 was not recorded: fs_write out.csv", [], WROTE)
    yield strict(
        "strict: another content",
        "after",
        "1 differs: fs_write out.csv (e1 -> e1)",
        [write("out.csv", "A-1,41")],
        WROTE,
    )
    binary = [["write", "a.bin", "\xff\x00"]]
    yield strict(
        "strict: other bytes",
        "after",
        "a.bin",
        [write("a.bin", "\xff\x01", after=state("\xff\x01", kept=False))],
        binary,
    )
    before = write("out.csv", "A-1,40", op="modify", before=state("A-1,41"))
    yield strict("strict: another content before", "before", "out.csv", [before], WROTE, {"out.csv": "A-1,39"})
    other = write("a", LONG, after=state("x", kept=False), diff="+other\n")
    yield strict("strict: another diff", "diff", "differs: fs_write a", [other], [["write", "a", LONG]])
    fifo = SideEffect(kind="fs_write", target="d", op="mknod")
    yield strict("strict: another op", "op", "differs: fs_write d", [fifo], [["mkdir", "d"]])
    moved = SideEffect(kind="fs_rename", target="a", op="move", before=state("1"), after=state("1"), detail={"to": "b"})
    yield strict("strict: another place", "detail", "differs: fs_rename a", [moved], [["rename", "a", "c"]], {"a": "1"})
    mode = {"mode": {"before": "0644", "after": "0400"}}
    shut = SideEffect(kind="fs_write", target="a", op="chmod", before=state("1"), after=state("1"), detail=mode)
    yield strict("strict: another mode", "detail", "differs: fs_write a", [shut], [["chmod", "a", 0o755]], {"a": "1"})


EFFECTS: tuple[Case, ...] = (*_recorded(), *_asked(), *_done(), *_compared())

UNTOUCHED: tuple[Case, ...] = (
    _live("no way out is tried", "", "PASS", [], EGRESS),
    _live("what was asked for was done", "", "PASS", WROTE, {MUST: "fs_write out.csv once where op is create"}),
    _live("nothing else was done", "", "PASS", WROTE, {NONE: "fs except out.csv"}),
    strict("strict: all as recorded", "", "PASS", [write("out.csv", "A-1,40")], WROTE),
    strict(
        "strict: a move as recorded",
        "",
        "PASS",
        [SideEffect(kind="fs_rename", target="a", op="move", before=state("1"), after=state("1"), detail={"to": "b"})],
        [["rename", "a", "b"]],
        {"a": "1"},
    ),
    strict(
        "strict: a mode as recorded",
        "",
        "PASS",
        [
            SideEffect(
                kind="fs_write",
                target="a",
                op="chmod",
                before=state("1"),
                after=state("1"),
                detail={"mode": {"before": "0644", "after": "0755"}},
            )
        ],
        [["chmod", "a", 0o755]],
        {"a": "1"},
    ),
)
"""Runs of the same kinds that must be green."""
