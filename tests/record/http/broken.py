"""An agent in whose hooks one function at a time fails: `broken.py URL CASES`, in a fork of its own for each.

CASES is a JSON object of pipes by `library function`; what each case printed is printed as one.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import socket
import sys
import traceback
import urllib.request
from collections.abc import Callable

import aiohttp
import httpx
import requests

URL = sys.argv[1]
NOBODY = "http://127.0.0.1:1/nobody"


def with_httpx(said: Callable[[object], None]) -> None:
    with httpx.Client(verify=False) as client:
        said(client.post(f"{URL}/broken", content=b"{}").text)
        said(client.post(f"{URL}/broken/chunked", content=iter([b"{", b"}"])).text)
        try:
            client.post(NOBODY, content=b"{}")
        except httpx.ConnectError:
            said("refused")

    async def main() -> None:
        async with httpx.AsyncClient(verify=False) as client:
            said((await client.post(f"{URL}/broken", content=b"{}")).text)

    asyncio.run(main())


def with_stdlib(said: Callable[[object], None]) -> None:
    said(requests.post(f"{URL}/broken", data=b"{}").text)
    said(requests.post(f"{URL}/broken/chunked", data=iter([b"{", b"}"])).text)
    said(urllib.request.urlopen(f"{URL}/broken", b"{}").read().decode())
    for path in (f"{URL}/drop", NOBODY):
        try:
            requests.post(path, data=b"{}")
        except requests.ConnectionError:
            said("refused")


def with_aiohttp(said: Callable[[object], None]) -> None:
    async def main() -> None:
        async with aiohttp.ClientSession() as session:
            for how in ("chunked", "redirect", "long"):
                async with session.post(f"{URL}/broken/{how}", data=b"{}") as answer:
                    said((await answer.text())[:20])
            try:
                await session.post(NOBODY, data=b"{}")
            except aiohttp.ClientConnectorError:
                said("refused")

    asyncio.run(main())


def with_names(said: Callable[[object], None]) -> None:
    said(sorted({each[4][0] for each in socket.getaddrinfo("localhost", 80)})[0])


AGENTS = {"httpx": with_httpx, "stdlib": with_stdlib, "aiohttp": with_aiohttp, "names": with_names}
LIBRARIES = {"httpx": ("httpx",), "stdlib": ("http.client",), "aiohttp": ("aiohttp",), "names": ("socket",)}


def run(library: str, function: str, pipe: str) -> list[str]:
    """What the agent says with its libraries hooked by hooks in which the function fails; empty for none."""
    channel, arrival, hooks = (
        importlib.import_module(f"_runwright_http.{each}") for each in ("channel", "arrival", f"for_{library}")
    )
    channel.PIPE = pipe

    def fail(*given: object, **named: object) -> None:
        raise ZeroDivisionError

    if function:
        setattr(hooks, function, fail)
    for each in LIBRARIES[library]:
        arrival.patch(importlib.import_module(each))
    lines: list[str] = []
    try:
        AGENTS[library](lambda text: lines.append(str(text)))
    except BaseException:  # noqa: BLE001 # it is told as what the agent said
        lines.append(traceback.format_exc())
    return lines


def apart(work: Callable[[], list[str]]) -> list[str]:
    """What it returns in a process of its own."""
    readable, writable = os.pipe()
    if os.fork() == 0:
        with os.fdopen(writable, "w") as stream:
            json.dump(work(), stream)
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as stream:
        return json.load(stream)


def main() -> None:
    cases = json.loads(sys.argv[2])
    json.dump({case: apart(lambda case=case: run(*case.split(" "), cases[case])) for case in cases}, sys.stdout)


main()
