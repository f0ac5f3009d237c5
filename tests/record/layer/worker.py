"""Random work on files, the same for the same number: each job in a folder of its own."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import random
import shutil
import sys
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
NAMES = ("a", "b", "c", "d", "e", "long name", "ü")


def world(folder: str, seed: int, plain: bool) -> None:
    """Files to work on, where they are not `plain` one of them with two names."""
    chosen = random.Random(seed)
    os.makedirs(folder)
    for number in range(12):
        at = os.path.join(folder, *(f"f{chosen.randrange(3)}" for _ in range(chosen.randrange(3))))
        os.makedirs(at, exist_ok=True)
        with open(f"{at}/{NAMES[number % len(NAMES)]}", "w") as file:
            file.write(f"line {number}\n" * chosen.randrange(60))
    if not plain:
        os.link(f"{folder}/{_files(folder)[0]}", f"{folder}/alias")
    os.symlink(_files(folder)[1], f"{folder}/leads")
    os.mkfifo(f"{folder}/pipe")


class Work:
    """Operations, chosen at random; what fails is no matter. `plain` ones rename no folders and make no hard links."""

    def __init__(self, seed: int, plain: bool) -> None:
        self.chosen = random.Random(seed)
        self.ways: list[Callable[[], object]] = [
            self.create, self.create, self.append, self.overwrite, self.in_place, self.cut, self.mapped, self.unlink,
            self.move, self.replace, self.mkdir, self.rmdir, self.rmtree, self.symlink, self.chmod, self.touch,
            self.attribute, self.copy, self.pipe,
        ]  # fmt: skip
        if not plain:
            self.ways += [self.move_folder, self.link, self.exchange, self.move_folder]

    def some(self) -> None:
        with contextlib.suppress(OSError, ValueError, IndexError):
            self.chosen.choice(self.ways)()

    def file(self) -> str:
        return self.chosen.choice(_files("."))

    def folder(self) -> str:
        return self.chosen.choice(_folders("."))

    def new(self) -> str:
        return f"{self.folder()}/{self.chosen.choice(NAMES)}{self.chosen.randrange(4)}"

    def data(self) -> bytes:
        return b"some %d\n" % self.chosen.randrange(1000) * self.chosen.randrange(40)

    def create(self) -> None:
        self._write(self.new(), os.O_CREAT | os.O_WRONLY)

    def append(self) -> None:
        self._write(self.file(), os.O_APPEND | os.O_WRONLY)

    def overwrite(self) -> None:
        self._write(self.file(), os.O_TRUNC | os.O_WRONLY)

    def in_place(self) -> None:
        self._write(self.file(), os.O_WRONLY)

    def _write(self, path: str, flags: int) -> None:
        data = self.data()
        opened = os.open(path, flags | os.O_NONBLOCK, 0o644)
        os.write(opened, data)
        os.close(opened)

    def cut(self) -> None:
        os.truncate(self.file(), self.chosen.randrange(200))

    def mapped(self) -> None:
        opened = os.open(self.file(), os.O_RDWR | os.O_NONBLOCK)
        try:
            with mmap.mmap(opened, 0) as seen:
                seen[:2] = b"MM"
        finally:
            os.close(opened)

    def unlink(self) -> None:
        os.unlink(self.file())

    def move(self) -> None:
        os.rename(self.file(), self.new())

    def replace(self) -> None:
        path = self.file()
        self._write(f"{path}.tmp", os.O_CREAT | os.O_WRONLY)
        os.rename(f"{path}.tmp", path)

    def mkdir(self) -> None:
        os.mkdir(self.new())

    def rmdir(self) -> None:
        os.rmdir(self.folder())

    def rmtree(self) -> None:
        if (found := self.folder()) != ".":
            shutil.rmtree(found)

    def symlink(self) -> None:
        os.symlink(self.file(), self.new())

    def chmod(self) -> None:
        os.chmod(self.file(), self.chosen.choice((0o600, 0o644, 0o755)))

    def touch(self) -> None:
        os.utime(self.file())

    def attribute(self) -> None:
        os.setxattr(self.file(), "user.k", self.data()[:9])

    def copy(self) -> None:
        shutil.copy2(self.file(), self.new())

    def pipe(self) -> None:
        os.mkfifo(self.new())

    def move_folder(self) -> None:
        os.rename(self.folder(), self.new())

    def link(self) -> None:
        os.link(self.file(), self.new(), follow_symlinks=False)

    def exchange(self) -> None:
        libc.renameat2(-100, os.fsencode(self.file()), -100, os.fsencode(self.file()), 2)


def _files(at: str) -> list[str]:
    """The files that are no pipes, in an order that no disk decides."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(at) for name in names]
    return sorted(os.path.relpath(each, at) for each in found if not each.endswith("pipe"))


def _folders(at: str) -> list[str]:
    return sorted(os.path.relpath(folder, at) for folder, _, _ in os.walk(at))


def main() -> None:
    jobs, operations, plain = (int(each) for each in sys.argv[1:])
    for seed in range(jobs):
        os.chdir(f"job{seed}")
        work = Work(seed, bool(plain))
        for _ in range(operations):
            work.some()
        os.chdir("..")


if __name__ == "__main__":
    main()
