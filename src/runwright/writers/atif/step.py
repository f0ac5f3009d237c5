"""Messages as the steps of a trajectory, and the conversation that is read from them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.trace import (
    JSON,
    Block,
    Message,
    ModelResponse,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    calls_of,
)

Object = dict[str, JSON]
SOURCES = {"system": "system", "developer": "system", "user": "user"}


class Steps:
    """The steps of one trajectory as they come about, with the conversation that they hold."""

    def __init__(self) -> None:
        self.steps: list[Object] = []
        self._said: list[Message] = []
        self._open: dict[str, Object] = {}

    def conversation(self) -> tuple[Message, ...]:
        """What the next reply was told: without a system message, one of unknown content leads it."""
        led = any(each.role == "system" for each in self._said)
        return tuple(self._said) if led else (Message(role="system"), *self._said)

    def say(self, message: Message) -> None:
        """Add a message of a request: what it answers belongs to the step that asked."""
        for block in message.content:
            if isinstance(block, ToolResultBlock):
                self._answer(block)
        rest = tuple(each for each in message.content if not isinstance(each, ToolResultBlock))
        if message.role == "assistant":
            self.reply(rest, {"is_copied_context": True})
        elif message.role in SOURCES and (rest or not message.content):
            held, words = _words(rest)
            source = SOURCES[message.role]
            self._step(source, words, {})
            self._said.append(Message(role=source, content=held))

    def reply(self, content: Sequence[Block], told: Object) -> tuple[Block, ...]:
        """Add what the agent said; the blocks that are held of it."""
        thoughts = [each.text for each in content if isinstance(each, ThinkingBlock) and not each.redacted]
        calls = calls_of(content)
        held, words = _words([each for each in content if isinstance(each, TextBlock)])
        thought = "\n".join(thoughts)
        asked = [_call(each) for each in calls]
        blocks: tuple[Block, ...] = (ThinkingBlock(text=thought),) if thought else ()
        blocks += tuple(each for each in held if not (calls and each.text == ""))
        blocks += tuple(each for _, each in asked)
        more: Object = {"reasoning_content": thought} if thought else {}
        more |= {"tool_calls": [each for each, _ in asked]} if asked else {}
        step = self._step("agent", words, {**more, **told})
        self._open = {each.id: step for each in calls if each.id}
        self._said.append(Message(role="assistant", content=blocks))
        return blocks

    def _step(self, source: str, words: JSON, more: Object) -> Object:
        step: Object = {"step_id": len(self.steps) + 1, "source": source, "message": words, **more}
        self.steps.append(step)
        return step

    def _answer(self, block: ToolResultBlock) -> None:
        """The result at the call it answers; of one that the step before did not ask for, nothing is held."""
        step = self._open.get(block.call_id)
        if step is None or step is not self.steps[-1]:
            return
        held, words = _words(block.content)
        observation = step.setdefault("observation", {"results": []})
        results = observation["results"] if isinstance(observation, dict) else None
        if isinstance(results, list):
            results.append({"source_call_id": block.call_id, "content": words})
        self._said.append(Message(role="tool", content=(ToolResultBlock(call_id=block.call_id, content=held),)))


def answered(response: ModelResponse, held: tuple[Block, ...], model: str) -> ModelResponse:
    """The reply that is read from a step."""
    usage = response.usage
    counted = msgspec.structs.replace(usage, details={}) if usage is not None else None
    return ModelResponse(
        content=held,
        stop_reason="tool_calls" if calls_of(held) else "end_turn",
        usage=counted or response.usage,
        model=model or None,
    )


def _words(blocks: Sequence[Block]) -> tuple[tuple[TextBlock, ...], JSON]:
    """The texts as they are read, and as they are written: one as a text, several as parts."""
    texts = [each.text for each in blocks if isinstance(each, TextBlock)] or [""]
    held = tuple(TextBlock(text=each) for each in texts)
    return held, texts[0] if len(texts) == 1 else [{"type": "text", "text": each} for each in texts]


def _call(block: ToolCallBlock) -> tuple[Object, ToolCallBlock]:
    """A call whose arguments are an object, as every call of a trajectory has them."""
    given = block.arguments
    if not isinstance(given, dict):
        given = {"value": given} if block.arguments_text is None else {"text": block.arguments_text}
    held = ToolCallBlock(id=block.id, name=block.name, arguments=given)
    return {"tool_call_id": block.id, "function_name": block.name, "arguments": given}, held
