"""What is done without typer is done as typer would do it, to the byte; and it loads nothing that takes long."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from blake3 import blake3

import runwright
from runwright.cli import app
from runwright.cli.app import main
from runwright.cli.fingerprint import fingerprint
from runwright.cli.quick import quick
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.small import MOST_BRACKETS
from tests.samples import ROOT
from tests.secrets.planted import TYPED

KEPT = sorted((ROOT / "tests" / "vectors" / "fingerprints").glob("*.jsonl"))
CASSETTES = sorted((ROOT / "cassettes").rglob("*.jsonl"))
VECTORS = sorted((ROOT / "tests" / "vectors").glob("*.vector"))
DEEP = 5_000 if os.environ.get("RUNWRIGHT_FUZZ") else 120
HEAVY = ("typer", "jsonschema", "jsonschema_rs", "deepdiff", "detect_secrets", "orjson", "msgspec", "yaml", "rich")


class Streams:
    """What a command says, by the quick way and by the whole one."""

    def __init__(self, capture: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capture = capture
        self._patch = monkeypatch

    def quick(self, *words: str) -> tuple[int, str, str] | None:
        """None where it is left to typer; then nothing may have been said."""
        status = quick(words)
        out, err = self._capture.readouterr()
        if status is None:
            assert (out, err) == ("", "")
            return None
        return status, out, err

    def whole(self, *words: str) -> tuple[int, str, str]:
        with self._patch.context() as patch:
            patch.setattr("runwright.cli.quick.quick", lambda _: None)
            status = main(words)
        return (status, *self._capture.readouterr())

    def command(self, *words: str) -> tuple[int, str, str]:
        """As `whole`, where it succeeds: the command alone, since typer takes long to start."""
        status = fingerprint([Path(each) for each in words if each != "--json"], None, None, "--json" in words)
        return (status, *self._capture.readouterr())

    def agree(self, *words: str) -> bool:
        """Whether the quick way answers; what it then says is what the command does."""
        found = self.quick(*words)
        assert found is None or found == self.command(*words[1:]), words
        return found is not None


@pytest.fixture
def streams(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Streams:
    return Streams(capsys, monkeypatch)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_kept_traces_and_cassettes(streams: Streams) -> None:
    answered = {path.stem for path in [*KEPT, *CASSETTES] if streams.agree("fingerprint", named(path))}
    assert len(KEPT) == 50
    assert len(answered) >= len([*KEPT, *CASSETTES]) - 4, sorted({each.stem for each in KEPT} - answered)


def test_as_json_and_several_at_once(streams: Streams) -> None:
    assert streams.agree("fingerprint", "--json", named(CASSETTES[0]))
    assert streams.agree("fingerprint", named(CASSETTES[0]), "--json", named(CASSETTES[0]))
    plain = [named(path) for path in KEPT if streams.quick("fingerprint", named(path))]
    assert streams.agree("fingerprint", *plain)
    for words in (["fingerprint", named(CASSETTES[0])], ["fingerprint", *plain, "--json"]):
        assert streams.quick(*words) == streams.whole(*words)
    assert streams.agree("fingerprint", *plain, "--json", "--json")


def test_vectors_of_the_format(streams: Streams, tmp_path: Path) -> None:
    """None that another reader refuses is answered."""
    answered = []
    for at, path in enumerate(VECTORS):
        body = path.read_bytes().partition(b"\n\n")[2]
        file = tmp_path / f"{at}.jsonl"
        file.write_bytes(body)
        if streams.agree("fingerprint", str(file)):
            answered.append(path.stem)
    assert all(each.startswith("valid-") for each in answered)
    assert answered


def broken(chance: random.Random) -> Iterator[bytes]:
    """Traces with something changed in them, and sealed again where that can be."""
    for at in range(DEEP):
        lines = chance.choice(KEPT).read_bytes().splitlines(keepends=True)
        line = chance.randrange(len(lines))
        match at % 6:
            case 0:
                where = chance.randrange(len(lines[line]))
                lines[line] = lines[line][:where] + bytes([chance.randrange(256)]) + lines[line][where + 1 :]
            case 1:
                del lines[line]
            case 2:
                lines.insert(line, lines[chance.randrange(len(lines))])
            case _:
                lines[line] = changed(lines[line], chance)
        data = b"".join(lines)
        yield resealed(data) if at % 2 else data


def test_a_trace_that_is_cut_anywhere_or_goes_on_is_left_to_the_command(streams: Streams, tmp_path: Path) -> None:
    data = min((path.read_bytes() for path in CASSETTES), key=len)
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    near = {end + by for end in ends for by in (-1, 0, 1)}
    cuts = [data[:at] for at in range(len(data)) if at < 64 or at in near or not at % 97]
    file = tmp_path / "cut.jsonl"
    for each in [*cuts, *(data + more for more in (b"\n", b"x", b"{", b"{}\n", data))]:
        file.write_bytes(each)
        assert streams.quick("fingerprint", str(file)) is None, each[-40:]
    file.write_bytes(data)
    assert streams.quick("fingerprint", str(file)) is not None


def test_lines_that_are_no_objects_or_too_deep_are_left_to_the_command(streams: Streams, tmp_path: Path) -> None:
    file = tmp_path / "odd.jsonl"
    header, first, *rest = CASSETTES[0].read_bytes().splitlines(keepends=True)
    for odd in (b"[]", b"null", b"1", b'"lane"', b"[{}]"):
        for lines in (
            [header, odd + b"\n", *rest],
            [odd + b"\n", first, *rest],
            [header, first, *rest[:-1], odd + b"\n"],
        ):
            file.write_bytes(b"".join(lines))
            assert streams.quick("fingerprint", str(file)) is None
            file.write_bytes(resealed(b"".join(lines)))
            assert streams.quick("fingerprint", str(file)) is None
    deepest = MOST_BRACKETS - first.count(b"[") - first.count(b"{")
    for opening, closing in ((b"[", b"]"), (b'{"x":', b"}")):
        for levels in (deepest, deepest + 1):
            line = first.replace(
                b"{", b'{"ext":{"x":' + opening * (levels - 1) + b"1" + closing * (levels - 1) + b"},", 1
            )
            file.write_bytes(sealed([header, line, *rest]))
            assert (streams.quick("fingerprint", str(file)) is not None) is (levels == deepest)


def sealed(lines: list[bytes]) -> bytes:
    """Lines whose last is their seal but for the digest, which is put right."""
    before = b"".join(lines[:-1])
    return before + re.sub(rb"blake3:[0-9a-f]+", b"blake3:" + blake3(before).hexdigest().encode(), lines[-1])


ODD = (None, True, 0, -1, 1.0, 1.5, 2**63, 10**18, "", "x", "\u2028 \x7f é", [], {}, [[]], {"x": {}}, ["m1"], "m1")


def changed(line: bytes, chance: random.Random) -> bytes:
    """A line with another value, another member or none in one place of it."""
    value = json.loads(line)
    places: list[tuple[dict | list, str | int]] = []  # type: ignore[type-arg]
    waiting = [value]
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        places += ((node, key) for key in keys)
        waiting += (node[key] for key in keys)
    holder, key = chance.choice(places)
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    elif isinstance(holder, dict) and chance.random() < 0.2:
        holder[chance.choice(("blob", "extends", "response_of", "ext", "more", "unknown", "t"))] = chance.choice(ODD)
    else:
        holder[key] = chance.choice(ODD)  # type: ignore[index]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def resealed(data: bytes) -> bytes:
    """The trace with a right seal, where all else is right."""
    from runwright.errors import RunwrightError

    try:
        return dumps_trace(loads_trace(data, allow_incomplete=True))
    except RunwrightError:
        return data


def test_broken_traces(streams: Streams, tmp_path: Path) -> None:
    answered = 0
    for data in broken(random.Random(3)):
        (tmp_path / "x.jsonl").write_bytes(data)
        answered += streams.agree("fingerprint", str(tmp_path / "x.jsonl"))
    assert answered >= DEEP / 20


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["fingerprint"],
        ["fingerprint", "--json"],
        ["fingerprint", "--help"],
        ["fingerprint", "TRACE", "--against", "TRACE"],
        ["fingerprint", "TRACE", "--out"],
        ["fingerprint", "--", "TRACE"],
        ["fingerprint", "--jso", "TRACE"],
        ["fingerprint", "-"],
        ["fingerprint", ""],
        ["fingerprint", "no-such-file.jsonl"],
        ["fingerprint", "cassettes"],
        ["fingerprint", "TRACE", "no-such-file.jsonl"],
        ["fingerprint", "./TRACE"],
        ["fingerprint", "cassettes//regressions/../regressions/refund-twice.cassette.jsonl"],
        ["validate", "TRACE"],
        ["--version", "fingerprint"],
    ],
)
def test_what_is_left_to_typer(words: list[str], streams: Streams) -> None:
    trace = named(CASSETTES[0])
    assert streams.quick(*(each.replace("TRACE", trace) for each in words)) is None


def test_completion_is_left_to_typer(streams: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_RUNWRIGHT_COMPLETE", "bash_source")
    assert streams.quick("fingerprint", named(CASSETTES[0])) is None


def test_what_may_be_a_secret_is_left_to_the_rules(streams: Streams, tmp_path: Path) -> None:
    whole = CASSETTES[0].read_bytes()
    for at, (_, secret) in enumerate(TYPED.values()):
        planted = json.dumps(secret)[1:-1].encode()
        for place in (b'"lookup_order"', b'"gpt-4o-mini"'):
            data = resealed(whole.replace(place, place[:-1] + b" " + planted + b'"'))
            (tmp_path / f"{at}.jsonl").write_bytes(data)
            for options in ([], ["--json"]):
                assert streams.quick("fingerprint", str(tmp_path / f"{at}.jsonl"), *options) is None
                if at % 8 == 0:
                    assert secret not in streams.command(str(tmp_path / f"{at}.jsonl"), *options)[1]
    file = tmp_path / f"{TYPED['github classic'][1]}.jsonl"
    file.write_bytes(whole)
    assert streams.quick("fingerprint", str(file)) is None


def loaded(*words: str) -> tuple[set[str], str]:
    """The modules that a command loads, in a process of its own, and what it says."""
    code = (
        "import sys; before = set(sys.modules); from runwright.cli.app import main; status = main(sys.argv[1:]); "
        "print(status, *sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    path = os.pathsep.join((str(Path(runwright.__file__).parent.parent), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-c", code, *words], env={**os.environ, "PYTHONPATH": path}, cwd=ROOT, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    status, *modules = done.stderr.split()
    assert status == "0"
    return set(modules), done.stdout


def test_a_fingerprint_loads_nothing_heavy() -> None:
    for options in ([], ["--json"]):
        modules, said = loaded("fingerprint", named(CASSETTES[0]), *options)
        assert "blake3:" in said
        assert not modules & {*HEAVY, "typing", "dataclasses", "pathlib", "inspect", "urllib.parse"}


def test_the_version_loads_next_to_nothing() -> None:
    modules, said = loaded("--version")
    assert said == f"runwright {runwright.__version__}\n"
    assert modules <= {"__future__", "runwright", "runwright.cli", "runwright.cli.app"}


def test_the_whole_way_would_be_seen() -> None:
    """What is told of modules is told of a command that does load them."""
    modules, _ = loaded("validate", named(CASSETTES[0]))
    assert {"typer", "msgspec", "jsonschema_rs"} <= modules


def test_a_fault_of_the_quick_way_is_told_as_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("runwright.cli.quick.quick", interrupted)
    assert app.main(["fingerprint", "x"]) == 130
    assert "interrupted" in capsys.readouterr().err
