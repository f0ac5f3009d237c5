"""Ways to change a file, and to change none: each is run by its name, in a folder that `world` made.

What stands above each is what has to be told of it: effects as `op target`, faults as `fault: words`. Files outside of
the workspace are called `outside/NAME`, whatever folder they are in.
"""

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
HERE = -100  # AT_FDCWD
FOREIGN = "out"
"""A link that leads outside. All paths through it are real ones somewhere else."""


class Way(NamedTuple):
    do: Callable[[], object]
    told: tuple[str, ...]


WAYS: dict[str, Way] = {}


def way(*told: str) -> Callable[[Callable[[], object]], Callable[[], object]]:
    def keep(do: Callable[[], object]) -> Callable[[], object]:
        WAYS[do.__name__] = Way(do, told)
        return do

    return keep


def world(root: Path, name: str) -> None:
    """A few files for one way: a folder of the workspace `inside`, and one outside of it."""
    workspace, outside = root / "inside" / name, root / "outside" / name
    for folder in (workspace / "d", workspace / "empty", outside / "folder"):
        folder.mkdir(parents=True)
    (workspace / "a").write_text("hello world\n" * 10)
    (workspace / "b").write_text("bbb\n" * 10)
    (workspace / "big").write_bytes(bytes(range(256)) * 1024)
    (workspace / "d" / "x").write_text("x\n")
    (workspace / "alias").write_text("one file, two names\n")
    os.link(workspace / "alias", outside / "alias")
    (outside / "there").write_text("there before\n")
    (workspace / "out").symlink_to(outside)
    (workspace / "to-a").symlink_to("a")
    (workspace / "to-nothing").symlink_to("unmade")
    (workspace / "module").mkdir()
    (workspace / "module" / "made.py").write_text("")
    shutil.copy(root / "data.db", workspace)


def database(root: Path) -> None:
    """What every world has a copy of."""
    opened = sqlite3.connect(root / "data.db")
    opened.executescript("create table t (x); insert into t values (1)")
    opened.close()


def call(number: int, *arguments: object) -> int:
    done = int(libc.syscall(number, *arguments))
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return done


def write(path: str | bytes, flags: int, data: bytes = b"NEW", *, at: int | None = None) -> None:
    opened = os.open(path, flags, 0o644, dir_fd=at)
    os.write(opened, data)
    os.close(opened)


CREATE = os.O_CREAT | os.O_WRONLY


# --- making -----------------------------------------------------------------------------------------


@way("create new")
def open_create() -> None:
    write("new", CREATE)


@way("create new")
def old_open() -> None:
    os.close(call(2, b"new", CREATE, 0o644))


@way("create new")
def creat() -> None:
    os.close(call(85, b"new", 0o644))


@way("create new")
def openat2() -> None:
    os.close(call(437, HERE, b"new", struct.pack("QQQ", CREATE, 0o644, 0), 24))


@way("create d/new", "symlink d/up", "create d/newer", "create outside/new")
def openat2_with_a_root() -> None:
    os.symlink("/../newer", "d/up")
    for folder, path in (("d", b"/../new"), ("d", b"up"), ("out", b"/new")):
        how = struct.pack("QQQ", CREATE, 0o644, 0x10)
        os.close(call(437, os.open(folder, os.O_RDONLY), path, how, 24))


@way()
def openat2_to_read_and_broken() -> None:
    os.close(call(437, HERE, b"a", struct.pack("QQQ", os.O_RDONLY, 0, 0), 24))
    for how in (b"", None, ctypes.c_void_p(0xFFFFFFFFFFFFF000)):
        with contextlib.suppress(OSError):
            call(437, HERE, b"new", how, 24)


@way("create new")
def open_read_only_create() -> None:
    os.close(os.open("new", os.O_RDONLY | os.O_CREAT, 0o644))


@way("create new")
def nameless_then_linked() -> None:
    opened = os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o644)
    os.write(opened, b"T")
    call(265, HERE, b"/proc/self/fd/%d" % opened, HERE, b"new", 0x400)


@way("create unmade")
def through_a_link_to_nothing() -> None:
    write("to-nothing", CREATE)


@way("create new")
def in_a_thread() -> None:
    thread = threading.Thread(target=open_create)
    thread.start()
    thread.join()


@way("create new")
def from_another_folder() -> None:
    here = os.open(".", os.O_RDONLY)
    os.chdir("/")
    write("new", CREATE, at=here)


@way("create new")
def through_proc_self_cwd() -> None:
    write("/proc/self/cwd/new", CREATE)


@way("create new")
def through_proc_self_fd() -> None:
    write(f"/proc/self/fd/{os.open('.', os.O_RDONLY)}/new", CREATE)


@way("create new")
def up_and_down() -> None:
    write("d/../empty/../new", CREATE)


@way("create new", "symlink itself")
def through_a_magic_link_of_ones_own() -> None:
    os.symlink("/proc/self/cwd", "itself")
    write("itself/new", CREATE)


@way("mkdir p", "mkdir p/q", "create p/q/new")
def in_folders_just_made() -> None:
    os.makedirs("p/q")
    write("p/q/new", CREATE)


@way("mkdir new")
def mkdir() -> None:
    os.mkdir("new")


@way("mkdir new")
def old_mkdir() -> None:
    call(83, b"new", 0o755)


@way("symlink new")
def symlink() -> None:
    os.symlink("a", "new")


@way("symlink new")
def symlinkat() -> None:
    call(266, b"a", os.open(".", os.O_RDONLY), b"new")


@way("link new -> a")
def link() -> None:
    os.link("a", "new")


@way("link new -> a")
def old_link() -> None:
    call(86, b"a", b"new")


@way("create z", "link new -> z")
def link_of_a_new_file() -> None:
    write("z", CREATE)
    os.link("z", "new")


@way("mknod new")
def fifo() -> None:
    os.mkfifo("new")


@way("mknod new")
def bound_socket() -> None:
    socket.socket(socket.AF_UNIX).bind("new")


@way("create new")
def a_copy_by_a_program() -> None:
    os.waitpid(os.posix_spawn("/bin/cp", ["cp", "a", "new"], os.environ), 0)


# --- changing ---------------------------------------------------------------------------------------


@way("modify a")
def overwrite() -> None:
    write("a", os.O_WRONLY | os.O_TRUNC)


@way("append a")
def append() -> None:
    write("a", os.O_WRONLY | os.O_APPEND)


@way("append big")
def append_to_a_long_file() -> None:
    write("big", os.O_WRONLY | os.O_APPEND)


@way("modify a")
def same_size() -> None:
    opened = os.open("a", os.O_WRONLY)
    os.pwrite(opened, b"Z", 3)
    os.close(opened)


@way("modify a")
def same_size_and_times() -> None:
    state = os.stat("a")
    write("a", os.O_WRONLY, b"q")
    os.utime("a", ns=(state.st_atime_ns, state.st_mtime_ns))


@way("modify a")
def mapped() -> None:
    opened = os.open("a", os.O_RDWR)
    with mmap.mmap(opened, 10) as memory:
        memory[0:3] = b"MMM"


@way("modify a")
def mapped_after_close() -> None:
    opened = os.open("a", os.O_RDWR)
    memory = mmap.mmap(opened, 10)
    os.close(opened)
    memory[0:3] = b"MMM"
    memory.close()


@way("modify a")
def punched() -> None:
    opened = os.open("a", os.O_RDWR)
    if libc.fallocate(opened, 3, ctypes.c_long(0), ctypes.c_long(4)):
        os.pwrite(opened, bytes(4), 0)  # a file system without holes
    os.close(opened)


@way("modify a")
def copied_range() -> None:
    source, opened = os.open("b", os.O_RDONLY), os.open("a", os.O_WRONLY)
    os.copy_file_range(source, opened, 3)


@way("modify a")
def sendfile() -> None:
    source, opened = os.open("b", os.O_RDONLY), os.open("a", os.O_WRONLY)
    os.sendfile(opened, source, 0, 3)


@way("modify a")
def spliced() -> None:
    readable, writable = os.pipe()
    os.write(writable, b"PPP")
    os.splice(readable, os.open("a", os.O_WRONLY), 3)


@way("modify a")
def written_at_the_end_of_a_long_run() -> None:
    opened = os.open("a", os.O_WRONLY)
    os.stat("b")
    os.chmod("b", 0o644)  # a further call, at which the open looks as if nothing came of it
    os.write(opened, b"late")


@way("modify a")
def through_a_link() -> None:
    write("to-a", os.O_WRONLY)


@way("modify a")
def reopened() -> None:
    write(f"/proc/self/fd/{os.open('a', os.O_RDONLY)}", os.O_WRONLY)


@way("modify a")
def reopened_by_dev_fd() -> None:
    write(f"/dev/fd/{os.open('a', os.O_RDONLY)}", os.O_WRONLY)


@way("modify a")
def over_a_renamed() -> None:
    write("a.tmp", CREATE)
    os.rename("a.tmp", "a")


@way("modify a")
def deleted_and_made_anew() -> None:
    os.unlink("a")
    write("a", CREATE)


@way("modify alias")
def one_of_two_names() -> None:
    """Its other name is outside, where nothing was opened: that a file has several is told beside it."""
    write("alias", os.O_WRONLY)


@way("modify alias, by no call", "modify outside/alias")
def by_its_name_outside() -> None:
    write(f"{FOREIGN}/alias", os.O_WRONLY)


@way("truncate a")
def truncate() -> None:
    os.truncate("a", 3)


@way("truncate big")
def truncate_a_long_file() -> None:
    os.truncate("big", 100_000)


@way("truncate a")
def ftruncate() -> None:
    opened = os.open("a", os.O_RDWR)
    os.ftruncate(opened, 2)


@way("truncate a")
def open_read_only_truncate() -> None:
    os.close(os.open("a", os.O_RDONLY | os.O_TRUNC))


@way("append a")
def ftruncate_to_more() -> None:
    os.truncate("a", 1000)


@way("chmod a")
def chmod() -> None:
    os.chmod("a", 0o600)


@way("chmod a")
def fchmod_read_only() -> None:
    os.fchmod(os.open("a", os.O_RDONLY), 0o600)


@way("chmod a")
def fchmodat2() -> None:
    call(452, HERE, b"a", 0o600, 0)


@way("chmod d")
def chmod_of_a_folder() -> None:
    os.chmod("d", 0o700)


@way("setxattr a")
def setxattr() -> None:
    os.setxattr("a", "user.k", b"v")


@way("setxattr a")
def fsetxattr() -> None:
    os.setxattr(os.open("a", os.O_RDONLY), "user.k", b"v")


@way("insert data.db/t/rowid=2, by no call")
def sqlite() -> None:
    database = sqlite3.connect("data.db")
    database.execute("insert into t values (2)")
    database.commit()


@way("replace a")
def by_a_folder() -> None:
    os.unlink("a")
    os.mkdir("a")


@way("symlink to-a")
def a_link_turned() -> None:
    os.unlink("to-a")
    os.symlink("b", "to-a")


# --- removing and moving ----------------------------------------------------------------------------


@way("delete a")
def unlink() -> None:
    os.unlink("a")


@way("delete d/x")
def unlinkat() -> None:
    os.unlink("x", dir_fd=os.open("d", os.O_RDONLY))


@way("rmdir empty")
def rmdir() -> None:
    os.rmdir("empty")


@way("delete d/x", "rmdir d")
def a_tree() -> None:
    shutil.rmtree("d")


@way("move a -> new")
def rename() -> None:
    os.rename("a", "new")


@way("move a -> new")
def old_rename() -> None:
    call(82, b"a", b"new")


@way("move a -> d/new")
def rename_twice() -> None:
    os.rename("a", "between")
    os.rename("between", "d/new")


@way("move a -> new")
def rename_and_write() -> None:
    os.rename("a", "new")
    write("new", os.O_WRONLY | os.O_APPEND)


@way("move a -> b")
def rename_over() -> None:
    os.rename("a", "b")


@way("move a -> b", "move b -> a")
def exchange() -> None:
    call(316, HERE, b"a", HERE, b"b", 2)


@way("delete a", "create new")
def a_number_used_again() -> None:
    """ext4 gives the file that is made next the number of the one that went: that is no rename."""
    os.unlink("a")
    write("new.tmp", CREATE)
    os.rename("new.tmp", "new")


@way("move d -> e")
def rename_a_folder() -> None:
    os.rename("d", "e")


@way("move d -> e", "append e/x", "create e/y")
def rename_a_folder_and_write_in_it() -> None:
    os.rename("d", "e")
    write("e/x", os.O_WRONLY | os.O_APPEND)
    write("e/y", CREATE)


@way("move d -> e", "move d/x -> x")
def rename_a_folder_and_out_of_it() -> None:
    os.rename("d", "e")
    os.rename("e/x", "x")


@way("move d -> e")
def move_by_shutil() -> None:
    shutil.move("d", "e")


# --- outside ----------------------------------------------------------------------------------------


@way("create outside/new")
def through_a_link_outside() -> None:
    write("out/new", CREATE)


@way("create outside/new")
def by_its_whole_path() -> None:
    write(f"{os.path.realpath(FOREIGN)}/new", CREATE)


@way("modify outside/there")
def outside_changed() -> None:
    write(f"{FOREIGN}/there", os.O_WRONLY)


@way("create outside/new", "modify outside/there", "symlink itself", "create outside/newer")
def outside_by_links_of_ones_own() -> None:
    write(f"/proc/self/fd/{os.open(FOREIGN, os.O_RDONLY)}/new", CREATE)
    write(f"/dev/fd/{os.open(f'{FOREIGN}/there', os.O_RDONLY)}", os.O_WRONLY)
    os.symlink("/proc/self/cwd", "itself")
    write("itself/out/newer", CREATE)


@way("create outside/new", "truncate outside/there")
def outside_by_opens_to_read() -> None:
    os.close(os.open(f"{FOREIGN}/new", os.O_RDONLY | os.O_CREAT, 0o644))
    os.close(os.open(f"{FOREIGN}/there", os.O_RDONLY | os.O_TRUNC))


@way("delete outside/there")
def outside_deleted() -> None:
    os.unlink(f"{FOREIGN}/there")


@way("rmdir outside/folder")
def outside_folder() -> None:
    os.rmdir(f"{FOREIGN}/folder")


@way("move a -> outside/new")
def moved_out() -> None:
    os.rename("a", f"{FOREIGN}/new")


@way("move d -> outside/new")
def folder_moved_out() -> None:
    os.rename("d", f"{FOREIGN}/new")


@way("move outside/there -> new")
def moved_in() -> None:
    os.rename(f"{FOREIGN}/there", "new")


@way("chmod outside/there")
def outside_mode() -> None:
    os.chmod(f"{FOREIGN}/there", 0o600)


@way("link outside/new -> a")
def linked_out() -> None:
    os.link("a", f"{FOREIGN}/new")


@way("modify outside/there")
def mapped_outside() -> None:
    opened = os.open(f"{FOREIGN}/there", os.O_RDWR)
    memory = mmap.mmap(opened, 5)
    os.close(opened)
    memory[0:3] = b"MMM"


# --- processes --------------------------------------------------------------------------------------


@way("create new")
def double_fork() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.1)
            open_create()
        os._exit(0)
    os.wait()


@way("create new", "create outside/new")
def after_the_command_ended() -> None:
    if os.fork() == 0:
        time.sleep(0.1)
        open_create()
        write(f"{FOREIGN}/new", CREATE)
        os._exit(0)


@way("fault: still running")
def for_ever() -> None:
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)


@way("create new, by no call", "fault: the observer died")
def killed_its_observer() -> None:
    write("new", CREATE)
    starter = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
    os.kill(int(starter), signal.SIGKILL)
    time.sleep(0.1)


# --- what leads elsewhere the next time ----------------------------------------------------------------


@way("symlink flips", "create d/one", "create outside/folder/two", "create empty/three")
def a_link_that_leads_elsewhere() -> None:
    os.symlink("d", "flips")
    write("flips/one", CREATE)
    os.unlink("flips")
    os.symlink(f"{FOREIGN}/folder", "flips")
    write("flips/two", CREATE)
    os.symlink("empty", "flipped")
    os.rename("flipped", "flips")
    write("flips/three", CREATE)


@way("create d/one", "create empty/one", "create outside/folder/one")
def a_folder_of_its_own_that_changes() -> None:
    here = os.getcwd()
    for folder in ("d", "empty", f"{FOREIGN}/folder"):
        os.chdir(folder)
        write("one", CREATE)
        os.chdir(here)


@way("create d/one", "create empty/one", "create outside/folder/one")
def a_descriptor_that_is_another_folder_s() -> None:
    for folder in ("d", "empty", f"{FOREIGN}/folder"):
        at = os.open(folder, os.O_RDONLY)
        write("one", CREATE, at=at)
        os.close(at)


@way("mkdir d/one", "move d -> empty", "create empty/two", "move empty -> d")
def a_folder_in_the_place_of_another() -> None:
    os.mkdir("d/one")
    call(316, HERE, b"d", HERE, b"empty", 2)
    write("empty/two", CREATE)
    os.rename("empty/one", "d/one")


@way("mkdir k", "mkdir k/m, by no call", "create k/m/one, by no call", "create k/m/two", "symlink n")
def a_link_in_the_place_of_a_folder_to_it() -> None:
    os.mkdir("n")
    os.mkdir("n/m")
    write("n/m/one", CREATE)
    os.rename("n", "k")
    os.symlink("k", "n")
    write("n/m/two", CREATE)


# --- where nobody can look --------------------------------------------------------------------------


@way("append b, by no call", "fault: a process outside of the run")
def by_a_descriptor_it_was_given() -> None:
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(f"{FOREIGN}/gives")
        _, given, _, _ = socket.recv_fds(asked, 1, 1)
    os.write(given[0], b"given")


@way("fault: mount")
def mounted() -> None:
    call(165, b"none", b"nowhere", b"tmpfs", 0, None) if os.getuid() else _mounted()


def _mounted() -> None:
    call(272, 0x20000)
    libc.mount(b"none", b"empty", b"tmpfs", ctypes.c_ulong(0), None)
    write("empty/hidden", CREATE)


@way("fault: pidfd_getfd")
def took_a_descriptor() -> None:
    with contextlib.suppress(OSError):
        call(438, os.pidfd_open(1), 0, 0)


# --- nothing ----------------------------------------------------------------------------------------


@way()
def nothing_at_all() -> None:
    pass


@way()
def reads() -> None:
    for path in ("a", "big", "d/x"):
        Path(path).read_bytes()
        os.stat(path)
    os.listdir(".")


@way()
def failed_deletes() -> None:
    for do in (os.unlink, os.rmdir):
        for path in ("missing", "missing/x", "d", "a/x"):
            try:
                do(path)
            except OSError:
                continue


@way()
def failed_opens() -> None:
    for path in ("missing/x", "a/x", "d", "", "x" * 300, "n/" * 3000):
        try:
            os.open(path, CREATE)
        except OSError:
            continue
    for pointer in (0, 1, 0xFFFFFFFFFFFFF000):
        try:
            call(257, HERE, ctypes.c_void_p(pointer), CREATE, 0o644)
        except OSError as error:
            assert error.errno == errno.EFAULT  # noqa: PT017 - a batch without pytest


@way()
def failed_renames() -> None:
    for old, new in (("missing", "a"), ("a", "missing/x"), ("d", "d/in"), ("a", "d")):
        try:
            os.rename(old, new)
        except OSError:
            continue


@way()
def not_allowed() -> None:
    os.chmod("empty", 0)
    if os.fork() == 0:
        with contextlib.suppress(PermissionError):
            os.setuid(65534)
        for path in ("empty/x", "a"):
            with contextlib.suppress(PermissionError):
                os.close(os.open(path, os.O_WRONLY | os.O_TRUNC * (path != "a")))
        os._exit(0)
    os.wait()
    os.chmod("empty", 0o755)


@way()
def devices() -> None:
    write("/dev/null", os.O_WRONLY | os.O_TRUNC)
    write("/dev/zero", os.O_RDWR)


@way()
def own_process_files() -> None:
    write("/proc/self/comm", os.O_WRONLY, b"other")


@way()
def identical_bytes() -> None:
    data = Path("a").read_bytes()
    write("a", os.O_WRONLY | os.O_TRUNC, data)


@way()
def identical_bytes_by_another_file() -> None:
    data = Path("a").read_bytes()
    write("a.tmp", CREATE, data)
    os.rename("a.tmp", "a")


@way()
def identical_bytes_outside() -> None:
    data = Path(f"{FOREIGN}/there").read_bytes()
    write(f"{FOREIGN}/there", os.O_WRONLY | os.O_TRUNC, data)


@way()
def opened_and_not_written() -> None:
    os.close(os.open("a", os.O_RDWR | os.O_APPEND))


@way()
def made_and_deleted() -> None:
    write("new", CREATE)
    os.unlink("new")
    os.mkdir("n")
    os.rmdir("n")


@way()
def made_and_deleted_outside() -> None:
    write(f"{FOREIGN}/new", CREATE)
    os.unlink(f"{FOREIGN}/new")


@way()
def there_and_back() -> None:
    os.rename("a", "c")
    os.rename("c", "a")
    os.rename("d", "e")
    os.rename("e", "d")


@way()
def the_same_mode_and_owner() -> None:
    os.chmod("a", os.stat("a").st_mode & 0o7777)
    os.chown("a", os.getuid(), os.getgid())


@way()
def times_alone() -> None:
    os.utime("a", (1, 1))


@way()
def nameless() -> None:
    opened = os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o600)
    os.write(opened, b"x")
    os.fchmod(opened, 0o644)
    os.ftruncate(opened, 0)


@way()
def memory_file() -> None:
    os.write(os.memfd_create("x"), b"x")


@way()
def cache_of_python() -> None:
    subprocess.run([sys.executable, "-S", "-c", "import made"], check=True, env={"PYTHONPATH": "module"})


@way()
def own_socket() -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind("s")
    server.listen()
    socket.socket(socket.AF_UNIX).connect("s")
    os.unlink("s")


@way()
def uring_is_not_there() -> None:
    try:
        call(425, 8, bytes(120))
    except OSError as error:
        assert error.errno == errno.ENOSYS  # noqa: PT017 - a batch without pytest
    else:
        write("a", os.O_WRONLY)


@way()
def flags_of_a_file_read() -> None:
    fcntl.ioctl(os.open("a", os.O_RDONLY), 0x80086601, bytes(8))


def main() -> int:
    """Do each of the ways that are named, in a process and a folder of its own; how many of them broke."""
    first, *names = sys.argv[1:]
    if first == "walked":
        call(272, 0)  # unshare, of nothing: who sees it can no longer be sure what a path means
    broken = 0
    for name in names:
        process = os.fork()
        if process == 0:
            os.chdir(name)
            try:
                WAYS[name].do()
            finally:
                os._exit(0 if sys.exc_info()[0] is None else 1)
        broken += os.waitpid(process, 0)[1] != 0
    return broken


if __name__ == "__main__":
    sys.exit(main())
