"""What the first search lets pass holds no secret: with it and without it the same is found."""

import itertools
import json
import os

import orjson
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from scripts.gate import benign, planted

from runwright.secrets import detect, scan_text, scan_value
from runwright.secrets.names import naming
from runwright.secrets.rules import RULES
from runwright.secrets.suspicion import suspicious
from runwright.secrets.vocabulary import ASIDE, HASHES, KEYS, PASSWORDS, SECRETS, TOKENS
from tests.samples import samples_dir
from tests.secrets.test_redact import VALUES
from tests.secrets.test_superset import PIECE

DEEP = bool(os.environ.get("RUNWRIGHT_FUZZ"))


@pytest.fixture
def everything(monkeypatch):
    """Whatever is found when every text is taken for suspicious."""

    def found(value) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setattr(detect, "suspicious", lambda _: True)
            return [str(finding) for finding in scan_value(value)]

    return found


CLEAN = [
    b'{"usage":{"input_tokens":12,"output_tokens":9,"total_tokens":21}}',
    b'{"model":"m","stream":true,"messages":[{"role":"user","content":"monkeys keep the keys of the keyboard"}]}',
    b'{"id":"call_ABCDEFGHIJKLMNOPQRSTUVWX","sha":"0123456789abcdef0123456789abcdef01234567"}',
    b'{"text":"the author passed the test, and shipping is on its way"}',
    b'{"max_tokens": 4096, "total_tokens": 5, "nextPageToken": "CAUQAA"}',
    b'{"chunks":[[0,5],[0,7]],"pinned":false,"keywords":["a"],"primary_key":7}',
]


@pytest.mark.parametrize("data", CLEAN)
def test_what_traces_are_full_of_is_not_suspicious(data: bytes) -> None:
    assert not suspicious(data)


@pytest.mark.parametrize("item", planted.items(1), ids=lambda item: f"{item.kind}-{item.position}")
def test_every_kind_in_every_position_is(item) -> None:
    assert suspicious(orjson.dumps(item.value))
    assert suspicious(json.dumps(item.value).encode())
    assert suspicious(json.dumps({"a": json.dumps(item.value, indent=1)}, indent=1).encode())


def test_every_example_of_every_rule_is_however_it_is_written() -> None:
    for rule in RULES:
        for text in rule.hits if not rule.review else ():
            for form in (text, json.dumps(text), json.dumps(json.dumps(text)), text.replace("/", "\\/")):
                assert suspicious(form.encode()), (rule.name, form[:8])


def test_every_telling_name_is() -> None:
    nouns = {"key", "keys", "token", "tokens", "pin", "otp", "auth", "pass", "creds", "credentials", "cookie", "pw"}
    nouns |= PASSWORDS | SECRETS | {"passwords", "secrets", "credential", "sig", "pat"}
    joints = ("_", "-", "", " ", ".", "/")
    made = [
        f"{before}{joint}{noun}{joint}{after}".strip(joint or None)
        for before in ("", "x", *KEYS, *TOKENS)
        for noun in nouns
        for after in ("", "2", *(("confirm", "hash", "value") if before == "x" else ()))
        for joint in joints
    ]
    made += [f"user password{joint}{after}" for after in ASIDE | HASHES for joint in joints]
    told = [name for each in made for name in (each, each.upper(), each.title()) if naming(name)]
    told = told[:: 1 if DEEP else 17]
    assert len(told) > 1_000
    assert [name for name in told if not suspicious(json.dumps({name: "v"}).encode())] == []
    assert [name for name in told if not suspicious(json.dumps([[name, "v"]]).encode())] == []
    assigned = [name for name in told if " " not in name and name.lower() not in ("sig", "pat")]
    assert [name for name in assigned if not suspicious(json.dumps(f"a\n{name}: v").encode())] == []


@settings(max_examples=4_000 if DEEP else 120, deadline=None, suppress_health_check=list(HealthCheck))
@given(value=VALUES)
def test_values_made_of_pieces(value, everything) -> None:
    assert [str(finding) for finding in scan_value(value)] == everything(value)


@settings(max_examples=4_000 if DEEP else 120, deadline=None, suppress_health_check=list(HealthCheck))
@given(pieces=st.lists(PIECE, min_size=1, max_size=4), wrap=st.sampled_from(["", "json", "key", "list"]))
def test_texts_made_of_pieces(pieces, wrap, everything) -> None:
    text = "".join(pieces)
    value = {"": text, "json": json.dumps({"a": text}), "key": {text: 1}, "list": [["Authorization", text]]}[wrap]
    assert [str(finding) for finding in scan_value({"a": value})] == everything({"a": value})


def test_look_alikes(everything) -> None:
    for item in itertools.islice(benign.items(), 0, None, 1 if DEEP else 10):
        assert everything(item.value) == []


def test_real_samples(everything) -> None:
    files = [
        path for path in sorted(samples_dir().rglob("*.json*")) if path.is_file() and path.stat().st_size < 300_000
    ]
    for path in files[:: 1 if DEEP else 12]:
        for line in path.read_bytes().splitlines():
            try:
                value = orjson.loads(line)
            except ValueError:
                continue
            assert [str(finding) for finding in scan_value(value)] == everything(value), path.name


def test_a_long_line_is_searched_in_time_that_its_length_allows() -> None:
    assert not suspicious(b" " * 5_000_000)
    assert not suspicious(b"a" * 5_000_000)
    assert not suspicious(b"a b" * 1_000_000)


def test_without_the_library_everything_is_suspicious(monkeypatch) -> None:
    from runwright.secrets import suspicion

    monkeypatch.setattr(suspicion, "_patterns", lambda: None)
    assert suspicious(b"{}")
    assert scan_text("nothing here") == []
