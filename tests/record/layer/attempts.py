"""Everything that could change a protected file or folder: each attempt's errno, 0 where nothing kept it."""

import ctypes
import json
import mmap
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
HERE = -100
WRITE = os.O_WRONLY
UNDONE = "umount kept; mount -o remount,rw,bind kept"
FILE, KEPT, INNER = "config/deep/prod.yml", "kept", "kept/inner"


def call(number: int, *arguments: object) -> None:
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "")


def opened(path: str, flags: int) -> None:
    os.close(os.open(path, flags, 0o644))


def mapped() -> None:
    file = os.open(FILE, os.O_RDONLY)
    mmap.mmap(file, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)[:1] = b"X"


def by_descriptor(do: Callable[[int], object]) -> None:
    do(os.open(FILE, os.O_RDONLY))


def bound() -> None:
    socket.socket(socket.AF_UNIX).bind("kept/socket")


def shell(script: str) -> None:
    if subprocess.run(["sh", "-c", script], stderr=subprocess.DEVNULL, check=False).returncode:
        raise OSError(-1, "")


def compiled(word: str) -> None:
    code = subprocess.run(["./attempt", word, FILE], check=False).returncode
    if code:
        raise OSError(code, "")


ATTEMPTS: dict[str, Callable[[], object]] = {
    "write": lambda: opened(FILE, WRITE),
    "append": lambda: opened(FILE, WRITE | os.O_APPEND),
    "cut while reading": lambda: opened(FILE, os.O_RDONLY | os.O_TRUNC),
    "creat": lambda: call(85, FILE.encode(), 0o644),
    "openat2": lambda: call(437, HERE, FILE.encode(), struct.pack("QQQ", WRITE, 0, 0), 24),
    "truncate": lambda: os.truncate(FILE, 0),
    "unlink": lambda: os.unlink(FILE),
    "rename away": lambda: os.rename(FILE, "away"),
    "rename over": lambda: os.rename("plain", FILE),
    "exchange": lambda: call(316, HERE, b"plain", HERE, FILE.encode(), 2),
    "link to it": lambda: os.link(FILE, "link"),
    "link by descriptor": lambda: by_descriptor(lambda file: os.link(f"/proc/self/fd/{file}", "link")),
    "chmod": lambda: os.chmod(FILE, 0o600),
    "fchmod": lambda: by_descriptor(lambda file: os.fchmod(file, 0o600)),
    "chown": lambda: os.chown(FILE, os.getuid(), os.getgid()),
    "utime": lambda: os.utime(FILE),
    "futimens": lambda: by_descriptor(os.utime),
    "setxattr": lambda: os.setxattr(FILE, "user.k", b"v"),
    "fsetxattr": lambda: by_descriptor(lambda file: os.setxattr(file, "user.k", b"v")),
    "mmap": mapped,
    "through a link": lambda: opened("leads", WRITE),
    "through /proc/self/root": lambda: opened(f"/proc/self/root{os.path.abspath(FILE)}", WRITE),
    "through /proc/self/cwd": lambda: opened(f"/proc/self/cwd/{FILE}", WRITE),
    "reopened": lambda: by_descriptor(lambda file: opened(f"/proc/self/fd/{file}", WRITE)),
    "create within": lambda: opened(f"{KEPT}/new", WRITE | os.O_CREAT),
    "nameless within": lambda: opened(KEPT, WRITE | os.O_TMPFILE),
    "mkdir within": lambda: os.mkdir(f"{KEPT}/new"),
    "symlink within": lambda: os.symlink("x", f"{KEPT}/new"),
    "mkfifo within": lambda: os.mkfifo(f"{KEPT}/new"),
    "bind within": bound,
    "rmdir within": lambda: os.rmdir(f"{KEPT}/empty"),
    "unlink within": lambda: os.unlink(INNER),
    "write within": lambda: opened(INNER, WRITE),
    "rename within": lambda: os.rename(INNER, f"{KEPT}/other"),
    "rename into": lambda: os.rename("plain", f"{KEPT}/plain"),
    "rename out of": lambda: os.rename(INNER, "inner"),
    "rename the folder": lambda: os.rename(KEPT, "gone"),
    "rename a folder above": lambda: os.rename("config/deep", "config/gone"),
    "rename the folder above that": lambda: os.rename("config", "gone"),
    "shell": lambda: shell(f": >{FILE}"),
    "shell mv": lambda: shell(f"mv -f plain {FILE}"),
    "shell rm": lambda: shell(f"rm -rf {KEPT}"),
    "shell sed": lambda: shell(f"sed -i s/k/j/ {INNER}"),
    "namespace of its own": lambda: shell(f"unshare -Urm sh -c '{UNDONE}; : >{INNER}'"),
}  # fmt: skip
C = ("open", "rename", "unlink", "chmod", "truncate")


def main() -> None:
    if os.path.exists("attempt"):
        ATTEMPTS.update({f"C {each}": lambda each=each: compiled(each) for each in C})
    told = {}
    for name, do in ATTEMPTS.items():
        try:
            do()
        except OSError as error:
            told[name] = error.errno
        else:
            told[name] = 0
    opened("plain", WRITE | os.O_TRUNC)
    opened("config/beside", WRITE | os.O_CREAT)
    opened(FILE, os.O_RDONLY | os.O_CREAT)
    opened("/dev/null", WRITE | os.O_TRUNC)
    sys.stderr.write(f"told {json.dumps(told)}\n")


if __name__ == "__main__":
    main()
