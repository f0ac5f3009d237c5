"""A dictionary attack on what redaction leaves behind: nothing in it may tell one guess at a weak secret from another.

The attacker knows everything but the password: the log that was imported, our code, every usual way to make a digest.
For each word of a list they make the log as it would have been, import it without redaction, and compare.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from functools import cache

import pytest
from blake3 import blake3

from runwright.convert import ConvertOptions, convert
from runwright.convert.proposal import file_bytes, proposal_file
from runwright.readers import Input, read_foreign
from runwright.readers.written import SMALL, written
from runwright.secrets import redact_trace
from runwright.secrets.digests import ALGORITHMS, Digests
from runwright.trace import dumps_trace
from runwright.trace.model import (
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    SideEffectRecord,
    ToolRecord,
    Trace,
)

PASSWORD = "tr0ub4dor"
WORDS = ("letmein1", "hunter2x", PASSWORD, "pa55word", "qwerty12")
TELLING = re.compile(r"[0-9A-Fa-f]{8,}|[A-Za-z0-9+/_-]{16,}={0,2}")
"""What may be a digest or be made of one."""


def model_log(password: str) -> Trace:
    """The password is in a tool's result, by its name, and in the reply."""
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "What is Bob's account?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": json.dumps({"user": "bob", "password": password})},
    ]
    answer = {"role": "assistant", "content": f"Bob logs in with {password}."}
    body = {
        "id": "chatcmpl-1",
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}],
    }
    line = json.dumps({"request": {"model": "gpt-4o", "messages": messages}, "response": body})
    return read_foreign([Input("log.jsonl", line.encode() + b"\n")])


def system_prompt(password: str) -> Trace:
    """The password is in the system prompt and in a tool's description and schema: the header has digests of all."""
    words = f"You are support. DB_PASSWORD={password}"
    schema = {"type": "object", "properties": {"password": {"type": "string", "default": password}}}
    function = {"name": "ask", "description": f"Log in with password={password}", "parameters": schema}
    request = {
        "model": "gpt-4o",
        "messages": [{"role": "system", "content": words}, {"role": "user", "content": "Hi."}],
        "tools": [{"type": "function", "function": function}],
    }
    answer = {"role": "assistant", "content": "Hello."}
    body = {
        "id": "chatcmpl-1",
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}],
    }
    return read_foreign([Input("log.jsonl", json.dumps({"request": request, "response": body}).encode())])


def file_write(password: str) -> Trace:
    """A file too long to be kept, of which a reader would have kept the digest; and a short one."""
    long, short = f"DB_PASSWORD={password}\n" + "MODE=test\n" * (SMALL // 8), f"DB_PASSWORD={password}\n"
    effects = [written(".env", "create", after=long), written(".env.small", "edit", before="", after=short)]
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(effects, 1)]
    return Trace(header=Header(kind="run", trace_id="t"), records=tuple(records))


def http(password: str) -> Trace:
    """Servers and clients send digests of bodies beside them, and store what they get under such names."""
    body = json.dumps({"user": "bob", "password": password})
    data = body.encode()
    sha = hashlib.sha256(data)
    headers = (
        ("Content-MD5", base64.b64encode(hashlib.md5(data).digest()).decode()),
        ("Digest", "SHA-256=" + base64.b64encode(sha.digest()).decode()),
        ("X-Amz-Content-Sha256", sha.hexdigest().upper()),
    )
    request = HttpRequest(method="PUT", url="https://x.example/users/bob", headers=headers, body=HttpBody(text=body))
    stored = {"id": f"file_{sha.hexdigest()[:12]}", "etag": f'W/"{hashlib.sha1(data).hexdigest()}"'}
    response = HttpResponse(status=201, headers=(("ETag", stored["etag"]),), body=HttpBody(text=json.dumps(stored)))
    told = {"hash": f"blake3:{blake3(data).hexdigest()}", "sum": hashlib.sha256(f"{password}\n".encode()).hexdigest()}
    records = (
        HttpRecord(id="h1", request=request, response=response, fidelity="raw"),
        ToolRecord(id="t1", name="put", arguments=told, outcome="ok", fidelity="raw"),
    )
    return Trace(header=Header(kind="run", trace_id="t"), records=records)


SOURCES: dict[str, Callable[[str], Trace]] = {
    each.__name__: each for each in (model_log, system_prompt, file_write, http)
}


def telling(data: bytes) -> frozenset[str]:
    return frozenset(found.lower() for found in TELLING.findall(data.decode()))


@cache
def expected(source: str, word: str) -> frozenset[str]:
    """Everything that would tell of this word: what stands in an unredacted trace, and digests of the word itself."""
    digests = [algorithm(form.encode()) for algorithm in ALGORITHMS for form in (word, f"{word}\n", json.dumps(word))]
    return telling(dumps_trace(SOURCES[source](word))) | {each.hex() for each in digests}


def confirmed(source: str, data: bytes) -> dict[str, frozenset[str]]:
    """For each word, what in these bytes speaks for it and for no other one."""
    shown = telling(data)
    others = {word: frozenset().union(*(expected(source, each) for each in WORDS if each != word)) for word in WORDS}
    return {word: (expected(source, word) - others[word]) & shown for word in WORDS}


@pytest.mark.parametrize("source", SOURCES)
def test_no_guess_is_confirmed_by_a_redacted_trace(source: str) -> None:
    redacted, counts = redact_trace(SOURCES[source](PASSWORD))
    assert counts
    data = dumps_trace(redacted)
    assert PASSWORD.encode() not in data
    assert confirmed(source, data) == dict.fromkeys(WORDS, frozenset())


@pytest.mark.parametrize("source", SOURCES)
def test_the_attack_is_one(source: str) -> None:
    """On the trace as it was it tells the password from the other words, even without the password's own letters."""
    data = dumps_trace(SOURCES[source](PASSWORD)).replace(PASSWORD.encode(), b"?")
    found = confirmed(source, data)
    assert found.pop(PASSWORD)
    assert not any(found.values())


@pytest.mark.parametrize("source", ["model_log", "system_prompt"])
def test_nor_by_a_proposal(source: str) -> None:
    options = ConvertOptions(out="flows/bob", agent_command="python agent.py", tools="real", redact=True)
    proposal = convert(SOURCES[source](PASSWORD), options)
    data = dumps_trace(proposal.cassette) + proposal.flow.encode() + file_bytes(proposal_file(proposal, None, None))
    assert PASSWORD.encode() not in data
    assert confirmed(source, data) == dict.fromkeys(WORDS, frozenset())


def test_a_redacted_trace_has_the_same_id_in_every_conversion_whatever_the_secret_was() -> None:
    ids = {redact_trace(model_log(word))[0].header.trace_id for word in WORDS}
    assert len(ids) == 1
    assert model_log(PASSWORD).header.trace_id not in ids


def test_what_is_not_redacted_keeps_its_id() -> None:
    clean = model_log("${DB_PASSWORD}")
    assert redact_trace(clean)[0].header.trace_id == clean.header.trace_id


@pytest.mark.parametrize("size", [8, 12, 16, 32, None])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_digests_whole_and_cut_off(algorithm: Callable[[bytes], bytes], size: int | None) -> None:
    digests = Digests()
    digests.note(PASSWORD, "[[redacted:secret-named-key:1]]")
    for form in (PASSWORD, f"{PASSWORD}\n", json.dumps(PASSWORD)):
        written_as = algorithm(form.encode()).hex()[:size]
        for shown in (written_as, written_as.upper()):
            moved = digests.moved(f"at file_{shown}.txt")
            assert shown not in moved
            assert len(moved) == len(f"at file_{shown}.txt")


def test_other_digests_stay() -> None:
    digests = Digests()
    digests.note(PASSWORD, "x")
    other = f"{hashlib.sha256(b'other').hexdigest()} {base64.b64encode(hashlib.md5(b'other').digest()).decode()}"
    assert digests.moved(other) == other


def test_short_files_keep_their_content_and_long_ones_without_secrets_their_digest() -> None:
    assert written("a", "create", after="x" * (SMALL + 1)).after.digest
    assert written("a", "create", after=f"DB_PASSWORD={PASSWORD}\n").after.content
    assert written("a", "create", after=f"DB_PASSWORD={PASSWORD}\n" + "x\n" * SMALL).after is None


def test_no_digest_of_a_path_is_kept() -> None:
    """A path outside the run's folder is told or not told; by a digest it could be guessed."""
    path = "/home/kim/letters/to-the-lawyer.txt"
    effects = [written(path, "create", after="hello"), written(path, "edit", after="x" * (SMALL + 1))]
    records = tuple(SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(effects, 1))
    data = dumps_trace(Trace(header=Header(kind="run", trace_id="t"), records=records))
    forms = (path, path.rsplit("/", 1)[-1], path.rsplit("/", 1)[0], f"file://{path}")
    assert not {algorithm(form.encode()).hex() for form in forms for algorithm in ALGORITHMS} & telling(data)
