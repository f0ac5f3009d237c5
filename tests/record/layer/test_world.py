"""What can only be read, and what is thrown away: by commands of root and of an ordinary user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from runwright.record.command import observe
from runwright.record.observe import Orders, cannot_hold, cannot_observe
from runwright.record.observe.supervised import watched
from tests.record.observe.nobody import USER, become_nobody, mounts_below, shared_folder
from tests.samples import ROOT

UNABLE = cannot_observe() or cannot_hold()
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
EROFS, EBUSY, EXDEV = 30, 16, 18
OTHERS = {
    "unlink": EBUSY, "C unlink": EBUSY, "mmap": 13, "rename the folder": EBUSY, "rename a folder above": EBUSY,
    "rename the folder above that": EBUSY, "shell": -1, "shell mv": -1, "shell rm": -1, "shell sed": -1,
    "namespace of its own": -1, "C rename": EXDEV,
    **dict.fromkeys(("rename away", "rename over", "exchange", "link to it", "link by descriptor"), EXDEV),
    **dict.fromkeys(("rename into", "rename out of"), EXDEV),
}  # fmt: skip
"""What is refused with another errno than EROFS: what is mounted is busy, and is no part of the disk around it."""


@pytest.fixture
def shared() -> Iterator[Path]:
    with shared_folder() as folder:
        yield folder


def asked(script: str, root: Path, *words: str, ordinary: bool) -> dict[str, object]:
    """What one of the scripts beside this one found out."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.record.layer.{script}", str(root), *words], cwd=ROOT, capture_output=True,
        text=True, check=False, preexec_fn=become_nobody if ordinary else None,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    assert found.pop("user") == (USER if ordinary and not os.getuid() else os.getuid())
    return found


@lru_cache
def held(how: str, *, ordinary: bool) -> dict[str, object]:
    """What came of all attempts."""
    with shared_folder() as folder:
        return asked("held", folder, *how.split(), ordinary=ordinary)


@pytest.mark.parametrize("how", ["", "unwatched", "layered"])
@pytest.mark.parametrize("ordinary", [False, True])
def test_what_is_protected_stays_as_it_is(ordinary: bool, how: str) -> None:
    found = held(how, ordinary=ordinary)
    errnos = found["errnos"]
    assert isinstance(errnos, dict), errnos
    assert {name: code for name, code in errnos.items() if code != OTHERS.get(name, EROFS)} == {}
    assert found["kept"] is True
    assert (found["unable"], found["status"]) == ("", 0)


@pytest.mark.parametrize("how", ["", "unwatched"])
def test_each_attempt_on_it_is_told(how: str) -> None:
    found = held(how, ordinary=False)
    file, told = "config/deep/prod.yml", found["refused"]
    assert isinstance(told, list)
    assert {each for each in told if "sed" not in each} == {
        *(f"{each} {file}" for each in (
            "openat", "openat2", "creat", "truncate", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link",
            "chmod", "fchmod", "chown", "utimensat", "setxattr", "fsetxattr",
        )),
        "openat kept", "openat kept/new", "openat kept/inner", "mkdir kept/new", "symlink kept/new", "mknodat kept/new",
        "bind kept/socket", "rmdir kept/empty", "unlink kept/inner", "unlinkat kept/inner", "unlinkat kept/empty",
        "rename kept/inner", "rename kept/plain", "rename kept", "rename config/deep", "rename config",
    } - ({f"unlinkat {file}"} if f"unlinkat {file}" not in told else set())  # fmt: skip


def shell(script: str, folder: Path, **orders: object) -> tuple[tuple[str, ...], list[str]]:
    """The faults, and what was refused."""
    log, _ = watched(["sh", "-c", script], Orders(str(folder), str(folder), 5, **orders))  # type: ignore[arg-type]
    assert log.unable == ""
    return tuple(detail for detail, _ in log.faults), [each.name for each in log.refused]


def test_what_attempts_nothing_is_not_refused(shared: Path) -> None:
    (shared / "config").mkdir()
    (shared / "config" / "a").write_text("x")
    script = "cat config/a >/dev/null; mkdir -p config; test -w config/a; : <>/dev/null; touch b; rm -f config/none; ls"
    script += f"; {sys.executable} -S -c \"import os; os.open('config/a', os.O_RDONLY | os.O_CREAT)\""
    for layer in (None, str(shared)):
        assert shell(script, shared, protect=("config",), layer=layer) == ((), [])


def test_another_name_of_what_is_protected_is_told(shared: Path) -> None:
    (shared / "config").mkdir()
    (shared / "config" / "a").write_text("x")
    (shared / "alias").hardlink_to(shared / "config" / "a")
    assert shell("cat alias", shared, protect=("config",)) == ((), [])
    assert shell("echo y >>alias", shared, protect=("config",))[0] == (
        "what is protected was changed by another of its names",
    )


def test_a_folder_above_the_commands_own_that_was_moved_is_told(shared: Path) -> None:
    folder = shared / "above" / "work"
    folder.mkdir(parents=True)
    (folder / "kept").write_text("x")
    script = f"cd {shared}; mv above gone; mkdir -p above/work; echo other >above/work/kept"
    assert shell(script, folder, protect=("kept",))[0] == ("what is protected is no longer where it was",)
    assert (shared / "gone" / "work" / "kept").read_text() == "x"


def test_what_cannot_be_protected_keeps_the_command_from_running(shared: Path) -> None:
    for path in ("missing", "/"):
        log, _ = watched(["touch", "made"], Orders(str(shared), str(shared), 5, protect=(path,)))
        assert log.unable.startswith("no world of its own can be made")
    assert list(shared.iterdir()) == []


def too_large(root: Path) -> tuple[str, ...]:
    """Make workspaces of which there can be no copy: with a file of somebody else, or as large as that."""
    if os.getuid():
        return ("huge",)
    for each in (root / "real", root / "layered"):
        each.mkdir()
        (each / "foreign").write_text("root's")
        os.chown(each, USER, USER)
    return ()


WORK = {"root": ("6", "50"), "a copy": ("6", "50"), "an overlay": ("6", "50", "plain")}


@pytest.mark.parametrize("how", WORK)
def test_the_same_work_has_the_same_effects_and_leaves_no_trace(shared: Path, how: str) -> None:
    large = too_large(shared) if how == "an overlay" else ()
    found = asked("both", shared, *WORK[how], *large, ordinary=how != "root")
    unchanged = found.pop("unchanged")
    assert isinstance(unchanged, list)
    assert unchanged[0] == unchanged[1]
    effects = found.pop("effects")
    assert isinstance(effects, int)
    assert effects > 40
    assert found == {"differ": [], "statuses": [0, 0], "faults": [], "left as it was": True}


@pytest.mark.parametrize("ordinary", [False, True])
def test_no_way_out_leaves_a_trace(shared: Path, ordinary: bool) -> None:
    found = asked("leaves", shared, ordinary=ordinary)
    assert (found["left"], found["as it was"], found["status"]) == ([], True, 0)
    faults = found["faults"]
    assert isinstance(faults, list)
    of_a_user = ordinary or os.getuid() != 0
    layered = not (of_a_user and mounts_below(shared.parent))  # else what is beside the workspace can only be read
    torn = "a layer gives each name of it a file of its own, as the disk would not"  # of the file with two names
    assert [each.partition(":")[0] for each in faults] == [torn] * (of_a_user and layered)
    effects, at = found["effects"], str(shared)
    assert isinstance(effects, list)
    for each in ("create left", "append alias", f"create {at}/home/.config/tool/settings"):
        assert each in effects
    assert (f"delete {at}/beside/there" in effects) == layered
    assert not any(
        each.endswith("runwright-left") for each in effects
    )  # new in folders for temporary files, or refused
    refused = found["refused"]
    assert isinstance(refused, int)
    assert refused >= 3


@pytest.mark.skipif(os.getuid() != 0, reason="the layers of an ordinary user are these")
def test_what_the_layer_of_a_user_cannot_do_is_a_fault(shared: Path) -> None:
    found = asked("both", shared, "3", "50", *too_large(shared), ordinary=True)
    faults = found["faults"]
    assert isinstance(faults, list)
    assert {each.partition(":")[0] for each in faults} == {
        "a layer cannot rename it, as the disk would, and told the command so (EXDEV)",
        "a layer gives each name of it a file of its own, as the disk would not",
    }
    assert found["left as it was"] is True


def test_a_folder_that_is_named_from_here(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the command would start where its starter is, which is no part of the layer."""
    (shared / "within").mkdir()
    for here, folder in ((shared, "within"), (shared / "within", ".")):
        monkeypatch.chdir(here)
        log, _ = watched(
            ["sh", "-c", "echo 1 >made && test $(ls) = made"], Orders(folder, folder, 5, layer=str(shared))
        )
        assert (log.status, log.faults, log.refused) == (0, (), ())
    assert list((shared / "within").iterdir()) == []


def test_what_crosses_the_edge_of_a_layer_is_a_fault(shared: Path) -> None:
    (shared / "beside").mkdir()
    work = shared / "work"
    work.mkdir()
    (work / "a").write_text("x")
    script = "import os\ntry: os.rename('a', '../beside/a')\nexcept OSError as error: os._exit(error.errno)"
    found = observe([sys.executable, "-S", "-c", script], work, folder=work, dry=True)
    assert (found.status, found.trace.effects) == (EXDEV, [])
    (fault,) = [each for each in found.trace.records if each.id.startswith("f")]
    assert "(EXDEV): a" in str(fault)


def test_the_layer_goes_with_its_end_however_that_comes(shared: Path) -> None:
    (shared / "a").write_text("x")
    script = "import os, time\nopen('a', 'w').write('y')\nopen('b', 'w')\nos.kill(os.getppid(), 9)\ntime.sleep(60)"
    mounts = Path("/proc/mounts").read_text()
    found = observe([sys.executable, "-S", "-c", script], shared, folder=shared, dry=True)
    assert ((shared / "a").read_text(), [each.name for each in shared.iterdir()]) == ("x", ["a"])
    assert Path("/proc/mounts").read_text() == mounts
    assert any("the observer died" in str(each) for each in found.trace.records)


@pytest.mark.parametrize("layer", [None, "layer"])
def test_where_no_namespace_may_be_had_nothing_is_run(shared: Path, layer: str | None) -> None:
    """A limit of a namespace of users of one's own holds nobody else."""
    script = f"""
import ctypes, os, sys
from pathlib import Path
from runwright.errors import CapabilityError
from runwright.record.command import observe
from runwright.record.observe import Orders
from runwright.record.observe.supervised import watched
assert ctypes.CDLL(None).unshare(0x10000000) == 0
Path("/proc/self/setgroups").write_text("deny")
Path("/proc/self/uid_map").write_text("0 %s 1" % sys.argv[2])
Path("/proc/sys/user/max_mnt_namespaces").write_text("0")
if {layer!r}:
    try:
        observe(["touch", "made"], Path(sys.argv[1]), folder=Path(sys.argv[1]), dry=True)
    except CapabilityError as error:
        print(error)
else:
    print(watched(["touch", sys.argv[1] + "/made"], Orders("/", None, 5, protect=(sys.argv[1],)))[0].unable)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(shared), str(65534 if not os.getuid() else os.getuid())], cwd=ROOT,
        capture_output=True, text=True, check=False, preexec_fn=become_nobody,
    )  # fmt: skip
    assert "no world of its own can be made: no space left on device" in done.stdout, done
    assert list(shared.iterdir()) == []


@pytest.mark.parametrize("ordinary", [False, True])
def test_the_command(shared: Path, ordinary: bool) -> None:
    (shared / "notes").write_text("one\n")
    if not os.getuid():
        os.chown(shared / "notes", USER, USER)
    script = "echo two >>notes; echo 1 >/runwright-left; cat notes"
    done = subprocess.run(
        [sys.executable, "-m", "runwright", "observe", "--dry-world", "--outside", "--", "sh", "-c", script],
        cwd=shared, capture_output=True, text=True, check=False, preexec_fn=become_nobody if ordinary else None,
    )  # fmt: skip
    assert "two" in done.stderr
    first, second, third = done.stdout.splitlines()
    assert first == "append    notes  4 -> 8 bytes"
    assert second.startswith("refused: openat /outside/")
    assert second.endswith(": it can only be read")
    assert (third, done.returncode) == ("OBSERVED: 1 effect; sh exited 0", 0)
    assert (shared / "notes").read_text() == "one\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a folder away")
def test_a_workspace_of_somebody_else(shared: Path) -> None:
    """One that a user may write to has a layer; in one that it may not the layer would let it."""
    os.chown(shared, 0, 0)
    command = [sys.executable, "-m", "runwright", "observe", "--dry-world", "--", "sh", "-c", "echo 1 >made"]
    for mode, status, told in ((0o777, 0, "create    made  2 bytes\nOBSERVED"), (0o755, 2, "")):
        shared.chmod(mode)
        done = subprocess.run(
            command, cwd=shared, capture_output=True, text=True, check=False, preexec_fn=become_nobody
        )
        assert (done.returncode, done.stdout.startswith(told)) == (status, True), done
    assert "the workspace may not be written to" in done.stderr
    assert list(shared.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file away")
def test_a_file_of_somebody_else_that_anybody_may_change(shared: Path) -> None:
    user = USER - 1  # the last one is how a namespace shows all whom it has not
    os.chown(shared, user, user)
    (shared / "theirs").write_text("x")
    (shared / "theirs").chmod(0o666)
    (shared / "folder").mkdir(mode=0o777)
    (shared / "folder").chmod(0o777)
    (shared / "closed").write_text("x")
    script = "echo 1 >theirs; echo 1 >closed; echo 1 >folder/made; echo 1 >made"
    done = subprocess.run(
        [sys.executable, "-m", "runwright", "observe", "--dry-world", "--", "sh", "-c", script], cwd=shared,
        capture_output=True, text=True, check=False, preexec_fn=lambda: become_nobody(user),
    )  # fmt: skip
    fault = "not seen: a layer cannot change what belongs to another user, as the disk would"
    assert done.stdout.splitlines()[:3] == ["create    made  2 bytes", f"{fault}: theirs", f"{fault}: folder/made"]


@pytest.mark.skipif(os.getuid() != 0, reason="others cannot reach them anyway")
def test_what_only_root_could_reach_past_its_files(shared: Path) -> None:
    """Opened and nothing else: a setting of the kernel to write, the disks to read."""
    script = """
import os, stat
disks = [f"/dev/{each}" for each in os.listdir("/dev") if stat.S_ISBLK(os.lstat(f"/dev/{each}").st_mode)]
for path, flags in (("/proc/sys/kernel/printk", os.O_WRONLY), *((each, os.O_RDONLY) for each in disks)):
    try:
        os.open(path, flags)
    except OSError:
        continue
    os._exit(1)
"""
    log, _ = watched([sys.executable, "-S", "-c", script], Orders(str(shared), None, 5, layer=str(shared)))
    assert (log.status, [each.path for each in log.refused]) == (0, [b"/proc/sys/kernel/printk"])
