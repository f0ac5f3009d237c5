"""What can be done where descriptors of other processes cannot be had: why nothing is held, and what is observed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from runwright.record.contain import cannot_contain
from runwright.record.observe import Orders
from runwright.record.observe.watching.network.reach import OBSERVED, Reach
from tests.record.contain.test_held import held


def main() -> None:
    """All of it."""
    print(cannot_contain())
    log, _ = held("open('made', 'w').write('x')", Orders(sys.argv[1], sys.argv[1], network=Reach(OBSERVED)))
    made = " ".join(Path(os.fsdecode(each.path)).name for each in log.operations)
    print(f"status {log.status}, network {log.network}, {made}")


if __name__ == "__main__":
    main()
