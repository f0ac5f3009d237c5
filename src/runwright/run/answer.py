"""What an agent that is reached by HTTP says: its whole answer, and the reply in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.message import Message

REPLY_MEMBERS = ("reply", "response", "output", "answer", "text", "message", "content", "result")
"""Members of a JSON answer that may hold the reply."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One HTTP answer, whatever its status. `cut` where its body was longer than what is kept."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    json: bool = False
    cut: bool = False

    @property
    def ok(self) -> bool:
        """Whether the agent says that it succeeded; a redirection is no success, and is not followed."""
        return 200 <= self.status < 300

    @property
    def sent(self) -> str:
        """Everything that left the agent in it."""
        return "".join(f"{name}: {value}\n" for name, value in self.headers) + self.body


def answer_of(status: int, headers: Message, data: bytes, *, cut: bool) -> Answer:
    """The answer in what came over the wire; bytes that its charset does not know are replaced."""
    kind = headers.get_content_type()
    return Answer(
        status=status,
        headers=tuple(headers.items()),
        body=_text(data, headers.get_content_charset("utf-8")),
        json=kind == "application/json" or kind.endswith("+json"),
        cut=cut,
    )


def reply_in(answer: Answer) -> str:
    """The reply: of a JSON answer its text, or the one member of REPLY_MEMBERS that is one; else the body as it is."""
    if not answer.json:
        return answer.body
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return answer.body
    if isinstance(value, str):
        return value
    texts = [value[name] for name in REPLY_MEMBERS if isinstance(value.get(name), str)] if _is_object(value) else []
    return texts[0] if len(texts) == 1 else json.dumps(value, ensure_ascii=False)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _text(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset, "replace")
    except LookupError:  # a charset that nobody knows
        return data.decode("utf-8", "replace")
