"""What a conversation adds to what is known of it, and when it is another one."""

from runwright.trace import Message, TextBlock
from runwright.trace.growth import Growth


def said(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(role="user", content=(TextBlock(text=text),)) for text in texts)


A, B, C, D = said("a", "b", "c", "d")


def added(*requests: tuple[Message, ...]) -> list[tuple[int, int]]:
    """For each request which value it was given, by its place among the different ones, and how many are new to it."""
    growth: Growth[list[None]] = Growth(list)
    values: list[list[None]] = []
    found = []
    for each in requests:
        made, new = growth.of(each)
        if not any(made is one for one in values):
            values.append(made)
        found.append((next(at for at, one in enumerate(values) if one is made), len(new)))
    return found


def test_a_conversation_that_grows_is_read_once() -> None:
    assert added((A,), (A, B), (A, B, C, D)) == [(0, 1), (0, 1), (0, 2)]


def test_a_request_that_is_made_again_adds_nothing() -> None:
    assert added((A, B), (A, B), (A, B, C)) == [(0, 2), (0, 0), (0, 1)]


def test_conversations_beside_one_another_are_told_apart() -> None:
    assert added((A,), (B,), (A, C), (B, C)) == [(0, 1), (1, 1), (0, 1), (1, 1)]


def test_one_that_is_shorter_changed_or_without_a_message_is_another() -> None:
    assert added((A, B, C), (A, B)) == [(0, 3), (1, 2)]
    assert added((A, B, C), (A, D, C), (A, D, C, B)) == [(0, 3), (1, 3), (1, 1)]
    assert added((), (A,), ()) == [(0, 0), (1, 1), (0, 0)]


def test_what_is_equal_goes_on_though_it_is_no_more_the_same() -> None:
    assert added((A, B), (A, *said("b"), C)) == [(0, 2), (0, 1)]
