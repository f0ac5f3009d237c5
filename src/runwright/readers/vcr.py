"""VCR cassettes: HTTP interactions in YAML or JSON, as vcrpy and pytest-recording write them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from itertools import chain

import orjson
import yaml

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.exact import NotJson
from runwright.readers.input import Input, text_body
from runwright.readers.lines import DEEPEST, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.wire import Call, Headers, records_of
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, FaultRecord, Trace

MOST_NODES = 20_000_000
"""Values that a document may have when its aliases are written out: more is a bomb."""

KEY = re.compile(rb'^\s*interactions\s*:|"interactions"\s*:', re.MULTILINE)


def sniff_vcr(head: bytes) -> int:
    """80 where a list of interactions begins a YAML document, or a JSON object names one."""
    start = text_body(head).lstrip()
    if start.startswith((b"{", b"interactions:", b"version:", b"---", b"#", b"http_interactions:")) and KEY.search(
        head
    ):
        return 80 if b"request" in head and (b"uri" in head or b"url" in head) else 0
    return 0


def read_vcr(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a cassette, in the order of its interactions: they have no times."""
    return tuple(Run(file_name(each), _run(each)) for each in files)


def _run(source: Input) -> Trace:
    reading = Reading()
    found: list[Found] = []
    faults: list[FaultRecord] = []
    for number, interaction in enumerate(_interactions(source, reading)):
        where = f"{file_name(source)}: interaction {number}"
        call = _call(interaction, reading, where)
        if call is None:
            continue
        read = records_of(call, reading, where)
        began = seconds_of(interaction.get("recorded_at")) if isinstance(interaction, dict) else None
        found += [Found(record=record, began=began) for record in read.records]
        if read.cut:
            faults.append(FaultRecord(id="", kind="truncation", detail=f"the stream of {where} stops before its end"))
    if not found:
        raise ReaderError("no interaction in it", place=source.name)
    return assembled(found, Source(format="vcr", inputs=[source], tool="vcr"), reading, faults=faults, in_order=True)


def _interactions(source: Input, reading: Reading) -> Iterator[dict[str, JSON]]:
    document = _document(source, reading)
    listed = document.get("interactions", document.get("http_interactions")) if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise ReaderError("no list of interactions in it", place=source.name)
    for number, each in enumerate(listed):
        if isinstance(each, dict):
            yield each
        else:
            reading.lose("malformed", f"an interaction that is {type(each).__name__}", f"interaction {number}")


def _document(source: Input, reading: Reading) -> JSON:
    data = text_body(source.data)
    if data.lstrip()[:1] == b"{":
        try:
            return reading.json(data, file_name(source), DEEPEST)
        except NotJson:
            pass  # YAML may begin with a brace too
    try:
        document: JSON = yaml.load(data, Loader=_Loader)  # noqa: S506  a safe loader, without dates
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ReaderError(f"no YAML that can be read: {_first_line(error)}", place=source.name) from error
    if _nodes(document) > MOST_NODES:
        raise ReaderError("its aliases stand for more than can be written out", place=source.name)
    return document


class _Loader(yaml.CSafeLoader):
    """The safe loader: tags that build objects are refused, and a date stays the text that it is."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def _nodes(value: object) -> int:
    """How many values there are with aliases written out; a value that holds itself is endless."""
    known: dict[int, int] = {}
    waiting: list[tuple[object, bool]] = [(value, False)]
    open_: set[int] = set()
    while waiting:
        each, done = waiting.pop()
        key = id(each)
        if done:
            known[key] = 1 + sum(known.get(id(child), 1) for child in _children(each))
            open_.discard(key)
        elif key not in known and isinstance(each, (dict, list)):
            if key in open_:
                return MOST_NODES + 1
            open_.add(key)
            waiting.append((each, True))
            waiting += [(child, False) for child in _children(each)]
    return known.get(id(value), 1)


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(chain.from_iterable(value.items()))
    return value if isinstance(value, list) else []


def _call(interaction: dict[str, JSON], reading: Reading, where: str) -> Call | None:
    request, response = interaction.get("request"), interaction.get("response")
    url = request.get("uri", request.get("url")) if isinstance(request, dict) else None
    if not isinstance(request, dict) or not isinstance(url, str):
        reading.lose("malformed", "an interaction without a request that has a uri", where)
        return None
    answer = response if isinstance(response, dict) else {}
    return Call(
        method=str(request.get("method") or "GET").upper(),
        url=url,
        request_headers=_headers(request.get("headers")),
        request_body=_body(request),
        status=_status(answer),
        response_headers=_headers(answer.get("headers")),
        response_body=_body(answer),
    )


def _status(answer: dict[str, JSON]) -> int | None:
    status = answer.get("status")
    code = status.get("code") if isinstance(status, dict) else answer.get("status_code", status)
    return code if isinstance(code, int) and not isinstance(code, bool) and 100 <= code < 600 else None


def _headers(headers: JSON) -> Headers:
    pairs = headers.items() if isinstance(headers, dict) else ()
    return tuple(
        (str(name), each)
        for name, values in pairs
        for each in (values if isinstance(values, list) else [values])
        if isinstance(each, str)
    )


def _body(side: dict[str, JSON]) -> bytes | None:
    """The bytes of a body, whichever of its forms it has; a parsed one is written out again."""
    if "parsed_body" in side:
        return _dumped(side["parsed_body"])
    body = side.get("body", side.get("content"))
    if isinstance(body, dict):
        for key in ("string", "base64_string", "base64", "text"):
            if key in body:
                return _decoded(body[key], key)
        return _dumped(body)
    return _decoded(body, "string")


def _decoded(body: object, form: str) -> bytes | None:
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        if form.startswith("base64"):
            try:
                return base64.b64decode(body)
            except ValueError:
                return None
        return body.encode("utf-8", "surrogatepass")
    return None if body is None else _dumped(body)


def _dumped(value: object) -> bytes | None:
    try:
        return orjson.dumps(value, default=_text)
    except (TypeError, orjson.JSONEncodeError):
        return None


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _first_line(error: Exception) -> str:
    return shortened((str(error).splitlines() or [type(error).__name__])[0], 200)


VCR = Reader(
    name="vcr",
    sniff=sniff_vcr,
    read=read_vcr,
    recognised="YAML or JSON with a list of `interactions`",
    kept="requests and answers as they were on the wire, streams with their chunks; other calls as HTTP or MCP",
    lost="times, which cassettes do not have; the spelling of bodies that were stored parsed; what filters took out",
    versions="vcrpy 1-9, pytest-recording, JSON serializer",
    models=False,
)
