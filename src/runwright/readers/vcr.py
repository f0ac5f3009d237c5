"""VCR cassettes: HTTP interactions in YAML or JSON, as vcrpy and pytest-recording write them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

import orjson

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.exact import NotJson
from runwright.readers.input import Input, text_body
from runwright.readers.lines import DEEPEST, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.wire import Call, Headers, records_of
from runwright.readers.yaml_document import NotYaml, parse_yaml
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, FaultRecord, Trace

KEY = re.compile(rb'^\s*interactions\s*:|"interactions"\s*:', re.MULTILINE)


def sniff_vcr(head: bytes) -> int:
    """80 where a list of interactions begins a YAML document, or a JSON object names one."""
    start = text_body(head).lstrip()
    begins = start.startswith((b"{", b"interactions:", b"version:", b"---", b"#", b"http_interactions:"))
    if begins and b"interactions" in head and KEY.search(head):
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
        return parse_yaml(data, reading.changed(file_name(source)))
    except NotYaml as error:
        raise ReaderError(shortened(str(error), 240), place=source.name) from error


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
        request_body=_body(request, reading, where),
        status=_status(answer),
        response_headers=_headers(answer.get("headers")),
        response_body=_body(answer, reading, where),
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


def _body(side: dict[str, JSON], reading: Reading, where: str) -> bytes | None:
    """The bytes of a body, whichever of its forms it has; a parsed one is written out again."""
    if "parsed_body" in side:
        return _dumped(side["parsed_body"], reading, where)
    body = side.get("body", side.get("content"))
    for form in ("string", "base64_string", "base64", "text"):
        if isinstance(body, dict) and form in body:
            return _decoded(body[form], form, reading, where)
    return _decoded(body, "string", reading, where)


def _decoded(body: object, form: str, reading: Reading, where: str) -> bytes | None:
    if isinstance(body, bytes):
        return body
    if not isinstance(body, str):
        return None if body is None else _dumped(body, reading, where)
    if not form.startswith("base64"):
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except ValueError:
        reading.lose("malformed", "a body that is no base64", where)
        return None


def _dumped(value: object, reading: Reading, where: str) -> bytes | None:
    try:
        return orjson.dumps(value, default=_text)
    except (TypeError, orjson.JSONEncodeError) as error:  # nested deeper than is written, or a lone surrogate
        reading.lose("not_representable", f"a body that was stored parsed: {error}", where)
        return None


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


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
