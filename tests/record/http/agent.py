"""An agent that makes requests with every client there is: `agent.py URL CLIENT ...`, each to paths under its name."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import sys
import urllib.request
from urllib.parse import urlsplit

URL = sys.argv[1]
BODY = b'{"amount":40}'
PARTS = (BODY[:5], BODY[5:])


def with_stdlib(name: str) -> None:
    parts = urlsplit(URL)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc)
    for method, how in (("GET", "plain"), ("POST", "plain"), ("POST", "chunked"), ("POST", "refuse"), ("POST", "fail")):
        connection.request(method, f"/{name}/{how}?state=paid", BODY if method == "POST" else None)
        connection.getresponse().read()
    connection.request("POST", f"/{name}/parts/plain", iter(PARTS))
    connection.getresponse().read()
    connection.request("POST", f"/{name}/unread/plain", BODY)
    connection.getresponse().close()
    connection.close()
    with contextlib.suppress(http.client.RemoteDisconnected):
        connection.request("POST", f"/{name}/drop", BODY)
        connection.getresponse()
    connection.close()
    connection.request("POST", f"/{name}/to-the-end", BODY)
    connection.getresponse().read()
    connection.close()


def with_urllib(name: str) -> None:
    for how in ("plain", "chunked", "refuse", "fail"):
        with contextlib.suppress(urllib.error.HTTPError):
            asked = urllib.request.Request(f"{URL}/{name}/{how}?state=paid", BODY, {"Content-Type": "application/json"})
            urllib.request.urlopen(asked).read()
    urllib.request.urlopen(f"{URL}/{name}/plain").read()


def with_requests(name: str) -> None:
    import requests

    with requests.Session() as session:
        session.get(f"{URL}/{name}/plain")
        for how in ("plain", "chunked", "packed", "refuse", "fail", "redirect", "see-other", "to-the-end"):
            session.post(f"{URL}/{name}/{how}?state=paid", data=BODY)
        session.post(f"{URL}/{name}/parts/plain", data=iter(PARTS))
        session.post(f"{URL}/{name}/unread/plain", data=BODY, stream=True).close()
        for _ in session.post(f"{URL}/{name}/streamed/chunked", data=BODY, stream=True).iter_content(3):
            pass
        with contextlib.suppress(requests.ConnectionError):
            session.post(f"{URL}/{name}/drop", data=BODY)
        with contextlib.suppress(requests.ConnectionError):
            session.post(f"http://127.0.0.1:1/{name}/nobody", data=BODY)


def with_urllib3(name: str) -> None:
    import urllib3

    pool = urllib3.PoolManager()
    again = urllib3.Retry(2, allowed_methods=None, status_forcelist=[500], raise_on_status=False, backoff_factor=0)
    pool.request("POST", f"{URL}/{name}/fail", body=BODY, retries=again)
    pool.request("PUT", f"{URL}/{name}/plain", body=BODY)
    pool.request("HEAD", f"{URL}/{name}/plain")


def with_httpx(name: str) -> None:
    httpx = __import__(name)
    with httpx.Client(follow_redirects=True) as client:
        client.get(f"{URL}/{name}/plain")
        for how in ("plain", "chunked", "packed", "refuse", "fail", "redirect", "see-other", "to-the-end"):
            client.post(f"{URL}/{name}/{how}?state=paid", content=BODY)
        client.post(f"{URL}/{name}/parts/plain", content=iter(PARTS))
        with client.stream("POST", f"{URL}/{name}/unread/plain", content=BODY):
            pass
        with client.stream("POST", f"{URL}/{name}/streamed/chunked", content=BODY) as answer:
            for _ in answer.iter_raw(3):
                pass
        with contextlib.suppress(httpx.RemoteProtocolError):
            client.post(f"{URL}/{name}/drop", content=BODY)
        with contextlib.suppress(httpx.ConnectError):
            client.post(f"http://127.0.0.1:1/{name}/nobody", content=BODY)


async def with_async_httpx(name: str) -> None:
    import httpx

    async def parts():
        for part in PARTS:
            yield part

    async with httpx.AsyncClient(follow_redirects=True) as client:
        await client.get(f"{URL}/{name}/plain")
        hows = ("plain", "chunked", "packed", "refuse", "fail", "redirect", "see-other", "to-the-end")
        await asyncio.gather(*(client.post(f"{URL}/{name}/{how}?state=paid", content=BODY) for how in hows))
        await client.post(f"{URL}/{name}/parts/plain", content=parts())
        async with client.stream("POST", f"{URL}/{name}/unread/plain", content=BODY):
            pass
        async with client.stream("POST", f"{URL}/{name}/streamed/chunked", content=BODY) as answer:
            async for _ in answer.aiter_raw(3):
                pass
        with contextlib.suppress(httpx.RemoteProtocolError):
            await client.post(f"{URL}/{name}/drop", content=BODY)
        with contextlib.suppress(httpx.ConnectError):
            await client.post(f"http://127.0.0.1:1/{name}/nobody", content=BODY)


async def with_aiohttp(name: str) -> None:
    import aiohttp

    async def parts():
        for part in PARTS:
            yield part

    async with aiohttp.ClientSession(trust_env=True) as session:
        async with session.get(f"{URL}/{name}/plain") as answer:
            await answer.read()

        async def post(how: str) -> None:
            async with session.post(f"{URL}/{name}/{how}?state=paid", data=BODY) as answer:
                await answer.read()

        hows = ("plain", "chunked", "packed", "refuse", "fail", "redirect", "see-other", "to-the-end")
        await asyncio.gather(*map(post, hows))
        async with session.post(f"{URL}/{name}/parts/plain", data=parts()) as answer:
            await answer.read()
        async with session.post(f"{URL}/{name}/unread/plain", data=BODY):
            pass
        async with session.post(f"{URL}/{name}/streamed/chunked", data=BODY) as answer:
            async for _ in answer.content.iter_chunked(3):
                pass
        with contextlib.suppress(aiohttp.ClientError):
            await post("drop")
        with contextlib.suppress(aiohttp.ClientError):
            await session.post(f"http://127.0.0.1:1/{name}/nobody", data=BODY)


CLIENTS = {
    "stdlib": with_stdlib,
    "urllib": with_urllib,
    "requests": with_requests,
    "urllib3": with_urllib3,
    "httpx": with_httpx,
    "httpx2": with_httpx,
    "async-httpx": with_async_httpx,
    "aiohttp": with_aiohttp,
}


def main() -> None:
    for name in sys.argv[2:] or CLIENTS:
        done = CLIENTS[name](name)
        if done is not None:
            asyncio.run(done)


if __name__ == "__main__":
    main()
