"""The official client, recorded by a scripted server on the loopback into a model log."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from types import ModuleType
from typing import Any

import pytest
from openai import AsyncOpenAI

from runwright.readers import Input, read_foreign
from tests.readers.exports import words
from tests.samples import ROOT


@pytest.fixture(scope="module")
def server() -> ModuleType:
    """The server that the fixtures were made with."""
    spec = importlib.util.spec_from_file_location("model_server", ROOT / "scripts" / "fixtures" / "model_server.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["model_server"] = module
    spec.loader.exec_module(module)
    return module


def test_eight_at_once_streamed_and_not(server: ModuleType) -> None:
    async def ask(client: AsyncOpenAI, number: int) -> None:
        messages: list[Any] = [{"role": "user", "content": f"Order {number}?"}]
        if number % 2:
            stream = await client.chat.completions.create(model="gpt-desk", messages=messages, stream=True)
            async for _ in stream:
                pass
        else:
            await client.chat.completions.create(model="gpt-desk", messages=messages, temperature=0.5)

    async def everything() -> None:
        with server.serving() as base:
            async with AsyncOpenAI(base_url=f"{base}/v1", api_key="not-a-key", max_retries=0) as client:
                await asyncio.gather(*(ask(client, number) for number in range(8)))

    server.LOG.clear()
    asyncio.run(everything())
    data = "\n".join(json.dumps(line) for line in server.LOG).encode()
    trace = read_foreign([Input("live.jsonl", data)])
    assert len(trace.models) == 8
    assert sum(each.streamed is True for each in trace.models) == 4
    assert set(words(trace)) == {"Let me look."}
    assert {each.fidelity for each in trace.models} == {"raw"}
    assert all(each.chunks for each in trace.models if each.streamed)
