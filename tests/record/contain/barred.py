"""One run that is held where no namespaces are to be had: what held it and what was told, a line each."""

from __future__ import annotations

import sys

from runwright.record.contain import Containment, cannot_contain, contained, reach_of
from runwright.record.observe import Orders
from runwright.record.observe.watching.network.reach import APART
from tests.record.contain.test_held import held

SOURCE = """
import socket
try:
    socket.create_connection(("203.0.113.1", 443))
except OSError as error:
    print(error.strerror)
"""


def main() -> None:
    """All of it."""
    log, said = held(SOURCE, Orders(sys.argv[1], network=reach_of(Containment())))
    found = contained(log)
    print(cannot_contain(APART), cannot_contain(), " ".join(found.by), found.weaker, *found.blocked, said, sep="\n")


if __name__ == "__main__":
    main()
