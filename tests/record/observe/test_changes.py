"""What two looks and the calls between them come to, without a file or a process."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from runwright.record.observe.changes import Hints, compared
from runwright.record.observe.journal import Operation
from runwright.record.observe.moves import moves
from runwright.record.observe.snapshot import Entry, Snapshot, take
from runwright.record.observe.watching.files.state import State
from runwright.record.observe.watching.journal import as_state, entries

FILE, FOLDER, LINK = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777


def entry(number: int, data: bytes | None = b"x", /, **other: object) -> Entry:
    values: dict[str, object] = {
        "mode": FILE, "size": len(data or b""), "device": 1, "inode": number, "owner": (0, 0), "links": 1,
        "changed": (1, 1), "content": None if data is None else f"blake3:{data.hex()}", "attributes": "",
    }  # fmt: skip
    return Entry(State(**{**values, **other}), data)  # type: ignore[arg-type]


def folder(inode: int) -> Entry:
    return entry(inode, None, mode=FOLDER)


def op(name: str, path: bytes, to: bytes | None = None, word: str = "moved") -> Operation:
    return Operation(0.0, name, path, to, word)


def told(before: dict[bytes, Entry], after: dict[bytes, Entry], *operations: Operation) -> list[str]:
    states = [{path: each.state for path, each in side.items()} for side in (before, after)]
    found = compared(before, after, moves(operations, *states), Hints())
    return [
        f"{each.op} {each.path.decode()}" + (f" -> {each.to.decode()}" if each.to else "") for each in found.changes
    ]


@pytest.mark.parametrize(
    ("other", "op"),
    [
        ({"changed": (2, 2)}, None),
        ({"links": 2}, None),
        ({"inode": 9}, None),
        ({"mode": stat.S_IFREG | 0o755}, "chmod"),
        ({"owner": (0, 1)}, "chown"),
        ({"attributes": "k"}, "setxattr"),
        ({"mode": FOLDER}, "replace"),
        ({"content": "blake3:00"}, "modify"),
        ({"content": None, "changed": (2, 2)}, "modify"),
        ({"content": None, "changed": (1, 2)}, None),
    ],
)
def test_what_is_a_difference(other: dict[str, object], op: str | None) -> None:
    before, after = {b"/a": entry(1)}, {b"/a": entry(1, **other)}
    assert told(before, after) == ([] if op is None else [f"{op} /a"])


def test_a_folder_differs_by_its_mode_alone() -> None:
    assert told({b"/d": folder(1)}, {b"/d": entry(1, None, mode=FOLDER, size=9, changed=(9, 9), links=7)}) == []


def test_a_rename_is_told_by_a_call_and_not_by_a_number() -> None:
    before, after = {b"/a": entry(1)}, {b"/b": entry(1)}
    assert told(before, after) == ["delete /a", "create /b"]
    assert told(before, after, op("rename", b"/a", b"/b")) == ["move /a -> /b"]
    assert told(before, after, op("rename", b"/a", b"/b", "")) == ["delete /a", "create /b"]


def test_a_number_that_was_given_again_is_no_rename() -> None:
    calls = op("unlink", b"/a", None, "removed"), op("open", b"/t", None, "created"), op("rename", b"/t", b"/b")
    assert told({b"/a": entry(1)}, {b"/b": entry(1, b"other")}, *calls) == ["delete /a", "create /b"]


def test_renames_that_lead_round() -> None:
    before = {b"/a": entry(1, b"a"), b"/b": entry(2, b"b")}
    after = {b"/a": entry(2, b"b"), b"/b": entry(1, b"a")}
    calls = [op("rename", b"/a", b"/t"), op("rename", b"/b", b"/a"), op("rename", b"/t", b"/b")]
    assert told(before, after, *calls) == ["move /b -> /a", "move /a -> /b"]
    assert told(before, after, op("renameat2", b"/a", b"/b", "exchanged")) == ["move /b -> /a", "move /a -> /b"]
    assert told(before, before, *calls, *calls) == []


def test_what_is_in_a_folder_goes_with_it() -> None:
    before = {b"/d": folder(1), b"/d/e": folder(2), b"/d/e/f": entry(3, b"f"), b"/d/g": entry(4, b"g")}
    after = {b"/n": folder(1), b"/n/e": folder(2), b"/n/e/f": entry(3, b"f2"), b"/g": entry(4, b"g")}
    calls = op("rename", b"/d", b"/n"), op("rename", b"/n/g", b"/g")
    assert told(before, after, *calls) == ["move /d/g -> /g", "move /d -> /n", "modify /n/e/f"]


def test_of_two_new_names_of_a_file_that_moved_one_is_the_move() -> None:
    before = {b"/a": entry(1)}
    after = {b"/b": entry(1, links=2), b"/c": entry(1, links=2)}
    assert told(before, after, op("rename", b"/a", b"/b")) == ["move /a -> /b", "link /c -> /b"]


def test_random_renames_come_to_what_they_did() -> None:
    """A model of a tree of files is renamed in, at random: every file is told to be where it is, and nothing else."""
    for seed in range(200):
        chance = random.Random(seed)
        tree = {b"/%d" % each: each + 1 for each in range(4)} | {
            b"/%d/%d" % (each % 4, each): each + 10 for each in range(8)
        }
        before = {path: folder(inode) if inode < 10 else entry(inode, b"%d" % inode) for path, inode in tree.items()}
        calls = []
        for number in range(12):
            old = chance.choice(sorted(tree))
            new = chance.choice([b"/n%d" % number, b"/0/n%d" % number, b"/1/n%d" % number])
            above = new.rpartition(b"/")[0]
            if (above and above not in tree) or new.startswith(old + b"/"):
                continue
            tree = {
                new + path[len(old) :] if (path + b"/").startswith(old + b"/") else path: tree[path] for path in tree
            }
            calls.append(op("rename", old, new))
        after = {path: folder(inode) if inode < 10 else entry(inode, b"%d" % inode) for path, inode in tree.items()}
        lines = told(before, after, *calls)
        assert all(line.startswith("move ") for line in lines), (seed, lines)
        ended = dict(each.removeprefix("move ").encode().split(b" -> ") for each in lines)
        assert all(tree[new] == before[old].state.inode for old, new in ended.items()), (seed, lines)


def test_a_state_and_a_broken_log_are_read() -> None:
    import marshal

    state = entry(1).state
    data = marshal.dumps(("touched", b"/a", tuple(state))) + marshal.dumps(("fault", "x", b""))
    assert [as_state(each[2]) for each in entries(data)] == [state, None]
    for end in range(len(data)):
        assert [each[0] for each in entries(data[:end])] in ([], ["touched"]), end


def test_a_path_and_number_given_again_are_no_rename() -> None:
    calls = op("unlink", b"/a", None, "removed"), op("open", b"/a", None, "created"), op("rename", b"/a", b"/b")
    assert told({b"/a": entry(1)}, {b"/b": entry(1, b"other")}, *calls) == ["delete /a", "create /b"]


def test_a_file_that_is_another_one_did_not_move() -> None:
    call = op("rename", b"/a", b"/b")
    assert told({b"/a": entry(1)}, {b"/b": entry(2)}, call) == ["delete /a", "create /b"]


def test_times_are_trusted_when_they_are_old_and_all_the_same(tmp_path: Path) -> None:
    file, root = tmp_path / "a", os.fsencode(tmp_path)
    file.write_text("one")
    name, first = os.fsencode(file), take(root)
    false = first.entries[name]._replace(kept=b"?")
    fresh = Snapshot({name: false}, (), first.at)
    settled = fresh._replace(at=first.at + 10**10)
    assert take(root, fresh).entries[name].kept == b"one"
    assert take(root, settled).entries[name].kept == b"?"
    times = file.stat()
    file.write_text("two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert take(root, settled).entries[name].kept == b"two"
