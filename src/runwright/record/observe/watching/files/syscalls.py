"""The system calls of x86_64 Linux that can change a file, and where each keeps its names."""

from __future__ import annotations

import os
from typing import NamedTuple

WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
"""Flags of an open that may change something: O_RDONLY|O_TRUNC and O_RDONLY|O_CREAT do."""

OPEN, OPENAT, OPENAT2, CONNECT, BIND = 2, 257, 437, 42, 49


class Call(NamedTuple):
    """A call by its arguments' numbers: the pairs of a folder's descriptor and a path, or a descriptor alone.

    The last pair is what comes into being where there are two. `follow` says that a last symbolic link is followed,
    `flags` which argument holds the flags that may turn that round.
    """

    name: str
    paths: tuple[tuple[int | None, int], ...] = ()
    descriptor: int | None = None
    follow: bool = False
    flags: int | None = None


CALLS: dict[int, Call] = {
    2: Call("open", ((None, 0),), follow=True, flags=1),
    85: Call("creat", ((None, 0),), follow=True),
    257: Call("openat", ((0, 1),), follow=True, flags=2),
    437: Call("openat2", ((0, 1),), follow=True),
    76: Call("truncate", ((None, 0),), follow=True),
    77: Call("ftruncate", descriptor=0),
    87: Call("unlink", ((None, 0),)),
    263: Call("unlinkat", ((0, 1),)),
    84: Call("rmdir", ((None, 0),)),
    82: Call("rename", ((None, 0), (None, 1))),
    264: Call("renameat", ((0, 1), (2, 3))),
    316: Call("renameat2", ((0, 1), (2, 3)), flags=4),
    86: Call("link", ((None, 1),)),
    265: Call("linkat", ((2, 3),)),
    88: Call("symlink", ((None, 1),)),
    266: Call("symlinkat", ((1, 2),)),
    83: Call("mkdir", ((None, 0),)),
    258: Call("mkdirat", ((0, 1),)),
    133: Call("mknod", ((None, 0),)),
    259: Call("mknodat", ((0, 1),)),
    90: Call("chmod", ((None, 0),), follow=True),
    91: Call("fchmod", descriptor=0),
    268: Call("fchmodat", ((0, 1),), follow=True),
    452: Call("fchmodat2", ((0, 1),), follow=True, flags=3),
    92: Call("chown", ((None, 0),), follow=True),
    93: Call("fchown", descriptor=0),
    94: Call("lchown", ((None, 0),)),
    260: Call("fchownat", ((0, 1),), follow=True, flags=4),
    188: Call("setxattr", ((None, 0),), follow=True),
    189: Call("lsetxattr", ((None, 0),)),
    190: Call("fsetxattr", descriptor=0),
    197: Call("removexattr", ((None, 0),), follow=True),
    198: Call("lremovexattr", ((None, 0),)),
    199: Call("fremovexattr", descriptor=0),
    463: Call("setxattrat", ((0, 1),), follow=True, flags=2),
    466: Call("removexattrat", ((0, 1),), follow=True, flags=2),
}
TIMES: dict[int, Call] = {
    132: Call("utime", ((None, 0),), follow=True),
    235: Call("utimes", ((None, 0),), follow=True),
    261: Call("futimesat", ((0, 1),), follow=True),
    280: Call("utimensat", ((0, 1),), follow=True, flags=3),
}
"""Calls that set times, which are no effect: they are looked at where something is to be left as it is."""
LINKS: dict[int, Call] = {
    86: Call("link", ((None, 0),)),
    265: Call("linkat", ((0, 1),)),
}
"""Where calls that make a further name of a file keep the name that it has."""
AT_CALLS = frozenset((452, 260, 463, 466, 280))
"""Calls whose flags are AT_ flags, not those of an open."""

BLIND: dict[int, str] = {
    165: "mount",
    166: "umount2",
    155: "pivot_root",
    429: "move_mount",
    304: "open_by_handle_at",
    438: "pidfd_getfd",
    469: "file_setattr",
}
"""Calls after which files may change where nobody looks, and what a fault calls them."""

ROOTS = frozenset((161, 308, 272))
"""chroot, setns and unshare: from then on a path may mean another file to the process than to its observer."""

REFUSED = (425, 426, 427)
"""io_uring_setup, io_uring_enter and io_uring_register: what they do is seen by no filter, and programs do without."""
