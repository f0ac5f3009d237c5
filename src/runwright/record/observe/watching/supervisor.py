"""The process that watches: it starts the command, answers its calls, and ends when no process of it is left.

`python -I -S -c "... main()" LOG STATUS ORDERS COMMAND ...`: the first two are descriptors, the second -1 for none.
Orphans of the command become children of this process, so none is lost; those that outlive it for too long are ended,
and told.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from typing import NamedTuple

from . import kernel
from .bpf import Looked
from .files.watcher import Watcher
from .journal import Journal
from .namespaces import of_users
from .network.held import Network
from .network.reach import APART, OBSERVED, SHARED, Reach
from .network.seen import NetworkSeen
from .orders import Orders, read_orders
from .probe import barred
from .start import Bounds, Started, start
from .surroundings import Surroundings, network_of
from .tree import Tree
from .world.mounts import lost
from .world.world import World, world

UNABLE = "unable"
OBJECTS = 50_000
"""Objects that are made before cycles of them are looked for: calls make none, and wait meanwhile."""
SOON = 50
"""Milliseconds of quiet after which the journal is written."""


def main() -> None:
    """Watch the command given on the command line to its end."""
    log, status, orders, *command = sys.argv[1:]
    for descriptor in (log, status):
        if int(descriptor) >= 0:
            os.set_inheritable(int(descriptor), False)
    journal = Journal(int(log))
    word = UNABLE
    try:
        told = read_orders(orders)
        named = os.path.abspath(told.folder)  # by the whole path, which leads into a layer; where we are does not
        word = _watch(journal, told._replace(folder=named), command)
    finally:
        journal.flush()
        if int(status) >= 0:
            os.write(int(status), f"{word}\n".encode())


def _watch(journal: Journal, orders: Orders, command: list[str]) -> str:
    """Watch it, and how it ended: `exit N`, `failed ERRNO`, or `unable` where it cannot be watched."""
    kernel.prctl(kernel.CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PARENT_DEATH_SIGNAL, signal.SIGTERM)
    around, reason = _around(orders)
    found = barred()
    surroundings, unheld = network_of(orders.network, entered=around is not None, sockets=found.sockets)
    reason = reason or found.calls or unheld
    if reason:
        journal.add("unable", reason)
    if reason or not command:
        return UNABLE
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # they are the command's, and those who started us decide what follows
    tree = Tree(orders.wait)
    held = surroundings.how in (APART, SHARED)
    looked = Looked(
        files=orders.workspace is not None or around is not None, times=around is not None, network=surroundings.how
    )
    inner = surroundings.inner.descriptor if surroundings.inner else -1
    bounds = Bounds(looked, held or around is not None, inner, alone=surroundings.how == SHARED)
    started = start(command, orders.folder, bounds)
    if isinstance(started, int):
        journal.add("failed", started)
        return f"failed {started}"
    kernel.prctl(kernel.DUMPABLE, 0)  # from here on the command can neither read nor change what this process holds
    journal.add("began", time.monotonic())
    if surroundings.how:
        journal.add("network", surroundings.how, surroundings.by, surroundings.why)
    if of_users():
        journal.add("user", os.geteuid(), os.getegid())
    watched = None if orders.workspace is None else os.fsencode(orders.workspace)
    watcher = Watcher(started.listener, journal, watched, around)
    network = _network(started.listener, journal, orders.network, surroundings)
    journal.flush()  # how it is watched and held is known, whatever becomes of this process
    _serve(Watching(watcher if looked.files else None, network), journal, tree, started)
    watcher.finish()
    if network is not None:
        network.finish()
    for detail, path in lost(around.protected) if around else ():
        watcher.fault(detail, path)
    if tree.left:
        watcher.fault(
            f"still running {orders.wait:g} s after the command ended, and ended then: {', '.join(tree.left)}"
        )
    if tree.told:
        watcher.fault("the run was ended before its time")
    journal.add("ended", tree.status, journal.operations)
    return f"exit {-signal.SIGTERM if tree.status is None else tree.status}"


def _around(orders: Orders) -> tuple[World | None, str]:
    """The world that the command is to see, and why it cannot be made."""
    try:
        return world(orders), ""
    except OSError as error:
        return None, f"no world of its own can be made: {(error.strerror or str(error)).lower()}"


def _network(listener: int, journal: Journal, reach: Reach | None, found: Surroundings) -> Network | NetworkSeen | None:
    if reach is None or not found.how:
        return None
    if found.how == OBSERVED:
        return NetworkSeen(journal)
    return Network(listener, journal, reach, found.inner)


class Watching(NamedTuple):
    """What sees calls: of files, of the network."""

    watcher: Watcher | None
    network: Network | NetworkSeen | None

    def step(self, listener: int) -> None:
        """Take one call, and see to it that it is answered."""
        notice = kernel.receive(listener)
        if notice is None:
            return
        if self.network is not None and self.network.takes(notice.number):
            if isinstance(self.network, NetworkSeen):
                self.network.note(notice)
            elif self.network.take(notice):
                return
        if self.watcher is not None:
            self.watcher.take(notice)
        else:
            kernel.proceed(listener, notice)


def _serve(watching: Watching, journal: Journal, tree: Tree, started: Started) -> None:
    poll = select.poll()
    loop = watching.network.loop if watching.network else None
    if loop is not None:
        poll.register(loop.descriptor, select.POLLIN)
    poll.register(started.listener, select.POLLIN)
    poll.register(tree.woken, select.POLLIN)
    tree.command = started.process
    gc.set_threshold(OBJECTS)
    while not tree.over:
        patience = loop.patience() if loop else None
        events = poll.poll(_least(tree.patience(), SOON if journal.waits else None, patience))
        if not events:
            journal.flush()
        for descriptor, event in events:
            if descriptor == tree.woken:
                tree.wake()
            elif descriptor != started.listener:
                continue
            elif event & select.POLLIN:
                watching.step(started.listener)
            else:
                poll.unregister(started.listener)  # nobody is left whose calls it would tell
                tree.reap()
        if loop is not None:
            loop.turn()
        tree.look()


def _least(one: int | None, other: int | None, third: int | None) -> int | None:
    least = other if one is None else one if other is None else min(one, other)
    return third if least is None else least if third is None else min(least, third)
