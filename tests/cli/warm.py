"""Command lines in processes that need not import first: a program that has imported all of ours is forked for each.

Each still is a process of its own, with its own directory, environment, standard streams and exit. What only a process
that starts from nothing can show, such as a module that is missing, is shown by those that tests start so.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import random
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

LEFT_OUT = ("runwright.__main__", "runwright.pytest_plugin")
FURTHER = (
    *(
        "typer",
        "rich",
        "yaml",
        "jsonschema",
        "detect_secrets.core.plugins.util",
        "deepdiff",
        "httpx",
        "starlette.responses",
    ),
    *(
        "uvicorn",
        "uvicorn.lifespan.on",
        "uvicorn.protocols.http.h11_impl",
        "uvicorn.loops.asyncio",
        "pydantic",
        "asyncio",
    ),
    *("zstandard", "re2", "google.protobuf.json_format", "pyarrow.parquet", "xml.etree.ElementTree", "html.parser"),
)
"""What functions of ours import when they are called, as far as it is installed."""


def run(words: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """`runwright WORDS` in a folder, as a process that has imported everything."""
    with TemporaryDirectory() as folder:
        out, err = (Path(folder, name) for name in ("out", "err"))
        asked = {"words": [*words], "cwd": str(cwd), "env": {**environment}, "out": str(out), "err": str(err)}
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(f"{json.dumps(asked)}\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(["runwright", *words], status, out.read_text(), err.read_text())


@cache
def _server() -> subprocess.Popen[str]:
    command = [sys.executable, "-P", __file__]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)  # the end of its input ends it
    return server


def _imported() -> None:
    """Import every module of ours, and what they import late."""
    import runwright

    names = [each.name for each in pkgutil.walk_packages(runwright.__path__, "runwright.")]
    for name in (*names, *FURTHER):
        if name not in LEFT_OUT:
            try:
                import_module(name)
            except ImportError:
                assert name in FURTHER, name


def _serve() -> int:
    """Fork for every line on standard input; the exit status of a fork, or what was asked for has been done."""
    requests, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    _imported()
    gc.freeze()
    for line in iter(requests.readline, ""):
        child = os.fork()
        if not child:
            _become(**json.loads(line))
        _, status = os.waitpid(child, 0)
        replies.write(f"{os.waitstatus_to_exitcode(status)}\n")
        replies.flush()
    return 0


def _become(words: list[str], cwd: str, env: dict[str, str], out: str, err: str) -> NoReturn:
    """The command, in this process, which ends with it as an interpreter does, but for taking its modules down."""
    from runwright.cli.app import main

    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    for fd, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), fd)
    sys.argv[:] = ["runwright", *words]
    sys.path.insert(0, cwd)
    random.seed()
    status = 1
    try:
        status = main()
    except BaseException:  # noqa: BLE001  Python would print it and end with 1
        traceback.print_exc()
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if not stream.closed:
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    sys.exit(_serve())
