"""What would leave a trace of a command whose changes are thrown away, tried by the command itself."""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable


def written(path: str) -> None:
    with open(path, "a") as file:
        file.write("LEFT")


def home() -> None:
    os.makedirs(os.path.expanduser("~/.config/tool"))
    written(os.path.expanduser("~/.config/tool/settings"))


def shared_memory() -> None:
    written("/dev/shm/runwright-left")


def as_somebody_else() -> None:
    """Root could take the numbers of a user whose processes it may then look into."""
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            os.setuid(65534)
        for each in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                written(f"/proc/{each}/root{os.getcwd()}/left")
        os._exit(0)
    os.wait()


def removed(beside: str) -> None:
    """Folders of the test's own alone: a layer that were none must not cost more than the test."""
    shutil.rmtree(beside)


def main() -> None:
    outside, starter, beside = sys.argv[1:]
    ways: list[Callable[[], None]] = [
        lambda: written("left"),
        lambda: written("/proc/self/cwd/left"),
        lambda: written(f"/proc/self/root{os.getcwd()}/left"),
        lambda: written(f"/proc/{starter}/root{os.getcwd()}/left"),
        lambda: written(f"/proc/{starter}/cwd/left"),
        lambda: written(f"/proc/{os.getppid()}/root{os.getcwd()}/left"),
        lambda: written("alias"),
        lambda: written(f"{beside}/left"),
        lambda: written("/tmp/runwright-left"),
        lambda: written("/var/tmp/runwright-left"),
        lambda: written("/etc/runwright-left"),
        lambda: written("/usr/local/runwright-left"),
        lambda: written("/run/runwright-left"),
        lambda: os.mkdir("/runwright-left"),
        lambda: written(outside),
        lambda: os.unlink(outside),
        home, shared_memory, as_somebody_else,
        lambda: removed(beside),
    ]  # fmt: skip
    for do in ways:
        with contextlib.suppress(OSError):
            do()
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            os.fstat(number)  # what cannot be seen was not handed on
            sys.stderr.write(f"descriptor {number} was handed on\n")
    sys.stderr.write(f"in {os.getcwd()}: {sorted(os.listdir('.')) if os.path.isdir('.') else ''}\n")


if __name__ == "__main__":
    main()
