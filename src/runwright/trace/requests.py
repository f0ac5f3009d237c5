"""Stored records made whole again, as plain values, from a bounded number of lines before each."""

from __future__ import annotations

from collections import OrderedDict

from runwright.trace.blobs import restored
from runwright.trace.spliced import spliced

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Plain: TypeAlias = dict[str, Any]

REQUEST_REACH = 16
"""Model exchanges back that `extends` may reach."""

REPLY_REACH = 256
"""Model exchanges back that `response_of` may reach."""

BLOB_REACH = 256
"""Blobs back that a digest may reach."""


class Unresolvable(ValueError):
    """A stored record refers to what is not there; `path` is where."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


class Requests:
    """The stored records of a trace as whole plain values, one after the other, in line order."""

    def __init__(self) -> None:
        self._requests: OrderedDict[str, Plain] = OrderedDict()
        self._replies: OrderedDict[str, Plain] = OrderedDict()
        self._blobs: OrderedDict[str, str] = OrderedDict()

    def whole(self, record: Plain) -> Plain:
        """The record without references and splices; Unresolvable where one leads nowhere."""
        lane = record["lane"]
        if lane == "model":
            return self._model(self._restored(record, "$.request") if self._blobs else record)
        if lane == "blob":
            keep(self._blobs, record["digest"], record["text"], BLOB_REACH)
        elif "result_blob" in record:
            return self._restored(record, "$.result_blob")
        return record

    def _restored(self, record: Plain, path: str) -> Plain:
        try:
            return restored(record, self._blobs)
        except KeyError as error:
            message = f"no blob {error.args[0]!r} among the {BLOB_REACH} before this line"
            raise Unresolvable(message, path) from error
        except TypeError as error:
            raise Unresolvable(f"a splice puts in no message or block: {error}", "$.request.splices") from error

    def _model(self, record: Plain) -> Plain:
        request = self._request(record["request"])
        keep(self._requests, record["id"], request, REQUEST_REACH)
        content = (record.get("response") or {}).get("content")
        if content:
            keep(self._replies, record["id"], {"role": "assistant", "content": content}, REPLY_REACH)
        return {**record, "request": request}

    def _request(self, stored: Plain) -> Plain:
        if "extends" not in stored:
            messages = self._dereferenced(stored.get("messages", []), "$.request.messages")
            return {**stored, "messages": messages}
        base = self._requests.get(stored["extends"])
        if base is None:
            message = f"{stored['extends']!r} is none of the {REQUEST_REACH} model exchanges before this line"
            raise Unresolvable(message, "$.request.extends")
        splices = stored.get("splices", ())
        try:
            if len(splices) == 1 and _appends(splices[0], base["messages"]):
                put = self._dereferenced(splices[0]["put"], "$.request.splices[0].put")
                return {**base, "messages": [*base["messages"], *put]}
            made = spliced(base, [self._splice(each, at) for at, each in enumerate(splices)])
        except (LookupError, TypeError) as error:
            raise Unresolvable(f"a splice does not fit: {error}", "$.request.splices") from error
        if not isinstance(made, dict) or not isinstance(made.get("messages"), list):
            raise Unresolvable("the splices leave no messages", "$.request.splices")
        return made

    def _splice(self, splice: Plain, at: int) -> Plain:
        """The splice; where it puts messages in, those that it refers to."""
        if splice["path"][0] != "messages" or len(splice["path"]) != 2 or not isinstance(splice.get("put"), list):
            return splice
        return {**splice, "put": self._dereferenced(splice["put"], f"$.request.splices[{at}].put")}

    def _dereferenced(self, messages: list[Plain], path: str) -> list[Plain]:
        return [
            self._reply(each["response_of"], f"{path}[{at}].response_of") if "response_of" in each else each
            for at, each in enumerate(messages)
        ]

    def _reply(self, exchange: str, path: str) -> Plain:
        reply = self._replies.get(exchange)
        if reply is None:
            message = f"{exchange!r} is none of the {REPLY_REACH} answers before this line"
            raise Unresolvable(message, path)
        return reply


def _appends(splice: Plain, messages: list[Plain]) -> bool:
    """Whether the splice puts messages after the last one, as a conversation that grows does."""
    path = splice["path"]
    if len(path) != 2 or path[0] != "messages" or path[1] != len(messages):
        return False
    return splice.get("del") == 0 and type(splice.get("put")) is list


def keep(held: OrderedDict[str, Any], key: str, value: object, reach: int) -> None:
    """Hold the value under the key, and let the oldest go."""
    if key in held:
        held.move_to_end(key)
    held[key] = value
    if len(held) > reach:
        held.popitem(last=False)
