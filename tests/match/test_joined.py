"""Text whose borders were not recorded is compared as one text, and nothing else is."""

from __future__ import annotations

from runwright.match.joined import with_joined_text
from runwright.trace.model import ImageBlock, Message, ModelRequest, Source, TextBlock, ToolResultBlock

IMAGE = ImageBlock(source=Source(kind="url", data="https://example.com/a.png"))


def joined(*blocks: object) -> tuple[object, ...]:
    message = Message(role="user", content=blocks)  # type: ignore[arg-type]
    request = ModelRequest(api="anthropic.messages", model="m", messages=(message,))
    return with_joined_text(request).messages[0].content


def test_adjacent_texts_are_one() -> None:
    assert joined(TextBlock(text="a", cache={"type": "ephemeral"}), TextBlock(text="b")) == (TextBlock(text="ab"),)


def test_what_lies_between_parts_them() -> None:
    assert joined(TextBlock(text="a"), IMAGE, TextBlock(text="b")) == (TextBlock(text="a"), IMAGE, TextBlock(text="b"))


def test_a_text_with_more_than_words_stays_by_itself() -> None:
    cited = TextBlock(text="b", extra={"citations": [1]})
    assert joined(TextBlock(text="a"), cited, TextBlock(text="c")) == (TextBlock(text="a"), cited, TextBlock(text="c"))


def test_texts_of_a_result_are_joined_and_not_with_those_around_it() -> None:
    result = ToolResultBlock(call_id="c", content=(TextBlock(text="a"), TextBlock(text="b")))
    assert joined(TextBlock(text="x"), result) == (
        TextBlock(text="x"),
        ToolResultBlock(call_id="c", content=(TextBlock(text="ab"),)),
    )


def test_nothing_stays_nothing() -> None:
    assert joined() == ()
