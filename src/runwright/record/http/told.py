"""What the messages of hooks and proxy say, put together to exchanges."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from runwright.record.http.digest import content_of
from runwright.record.http.model import NO_CONTENT, Content, End, Exchange, Seen, Via
from runwright.record.observe.names import readable
from runwright.trace import JSON

Message = Mapping[str, JSON]
T = TypeVar("T")


def seen_of(messages: Iterable[Message], faults: Iterable[str], known: Iterable[str] = ()) -> Seen:
    """The exchanges that the messages tell of. What is no message of ours is a fault."""
    secrets = tuple(known)
    exchanges: dict[str, Exchange] = {}
    headers: dict[str, Mapping[str, str]] = {}
    names: dict[str, set[str]] = {}
    refused: dict[str, None] = {}
    wrong = dict.fromkeys(faults)
    for message in messages:
        try:
            key = _text(message, "id") if "id" in message else ""
            match message.get("kind"):
                case "request":
                    exchanges[key] = _begun(message)
                case "answer" | "failed":
                    headers[key] = _headers(message)
                    exchanges[key] = _answered(exchanges[key], message, secrets)
                case "end":
                    content = _content(message.get("response"), headers.pop(key, {}), secrets)
                    exchanges[key] = exchanges[key]._replace(response=content)
                case "name":
                    addresses = {str(each) for each in _given(message, "addresses", list)}
                    names.setdefault(_text(message, "host"), set()).update(addresses)
                case "refused":
                    refused[_text(message, "to")] = None
                case "fault":
                    wrong[f"{_text(message, 'where')}: {_text(message, 'error')}"] = None
                case _:
                    raise ValueError
        except (KeyError, ValueError, TypeError):
            wrong["a message about a request cannot be read"] = None
    ordered = sorted(exchanges.values(), key=lambda each: each.at)
    frozen = {host: frozenset(addresses) for host, addresses in names.items()}
    return Seen(tuple(ordered), frozen, tuple(refused), tuple(wrong))


def _begun(message: Message) -> Exchange:
    via = _text(message, "via")
    if via not in ("hooks", "proxy"):
        raise ValueError
    return Exchange(
        method=_text(message, "method"), url=_text(message, "url"), via=cast("Via", via),
        keys=tuple(_line(str(each)) for each in _given(message, "keys", list)), at=_number(message, "at"),
        since=_number(message, "since"), raw=message.get("raw") is True,
    )  # fmt: skip


def _answered(exchange: Exchange, message: Message, known: tuple[str, ...]) -> Exchange:
    asked = message.get("request")
    headers = _headers(asked) if isinstance(asked, dict) else {}
    status = message.get("status")
    if not (status is None or (type(status) is int and 100 <= status < 1000)):
        raise ValueError
    return exchange._replace(
        status=status, until=_number(message, "at"), request=_content(asked, headers, known),
        error=_text(message, "error") if "error" in message else None,
        ours=_end(message.get("ours")) or exchange.ours, theirs=_end(message.get("theirs")) or exchange.theirs,
    )  # fmt: skip


def _content(told: JSON, headers: Mapping[str, str], known: tuple[str, ...]) -> Content:
    if not isinstance(told, dict):
        return NO_CONTENT
    if "data" not in told:
        return Content(unknown="too long")
    try:
        data = base64.b64decode(_text(told, "data"), validate=True)
    except binascii.Error:
        raise ValueError from None
    framed, whole = told.get("framed") is True, told.get("whole") is True
    return content_of(data, headers, framed=framed, whole=whole, known=known)


def _headers(message: Message) -> Mapping[str, str]:
    told = message.get("headers")
    return {name: value for name, value in told.items() if isinstance(value, str)} if isinstance(told, dict) else {}


def _end(told: JSON) -> End | None:
    match told:
        case [str(address), int(port)]:
            return address, port
    return None


def _text(message: Message, name: str) -> str:
    return _line(_given(message, name, str))


def _number(message: Message, name: str) -> float:
    return float(_given(message, name, (int, float)))


def _given(message: Message, name: str, kind: type[T] | tuple[type[T], ...]) -> T:
    value = message[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(name)
    return value


def _line(text: str) -> str:
    """The text on one line: what a service or an agent chose may not look like a line of ours."""
    return text if text.isascii() and text.isprintable() else readable(text.encode("utf-8", "surrogatepass"))
