"""A format as a value: what it is called, how it is recognised and read, and what people must know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from runwright.readers.input import Input
from runwright.readers.lines import Located
from runwright.readers.reading import Reading
from runwright.trace.model import Trace


class Run(msgspec.Struct, frozen=True):
    """One run of a file that may hold several; `id` is its source's own name for it, empty where it has none."""

    id: str
    trace: Trace


Told = Callable[[Reading], Callable[[Located], Iterable[str] | None]]
"""How the runs of a long file of lines are told apart: for each file a function that is given its documents in turn.

It names what the runs that a document is of are known by; documents that share a name are read together, and one that
no run is made of has none. Losses that `read` would note before it tells runs apart it notes in the reading. None says
that the document cannot be told apart. `read` may then be given a part of the lines, and refuses only one that has no
run.
"""


ALONE = ""
"""The name of what no other document belongs to."""


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """A format.

    `sniff` takes the first bytes of a file and answers with a score, zero where they are not of this format.
    `read` takes files that belong together and gives their runs, in order of their starts; it raises ReaderError where
    there is none. `together` says which of these names must be read together, for a folder of many; by default each
    file is by itself. `told` is there where lines are of independent runs. `models` is false where a run without a
    model exchange is worth keeping too. The other fields are the row of the table of formats: how a file is
    `recognised`, what is `kept`, what is `lost`, which `versions` of the producer were seen.
    """

    name: str
    sniff: Callable[[bytes], int]
    read: Callable[[Sequence[Input]], Sequence[Run]]
    recognised: str
    kept: str
    lost: str
    versions: str
    together: Callable[[Sequence[str]], Sequence[Sequence[str]]] | None = None
    models: bool = True
    told: Told | None = None


def only(read: Callable[[Sequence[Input]], Trace]) -> Callable[[Sequence[Input]], Sequence[Run]]:
    """A reader's function for a format whose files hold one run."""
    return lambda inputs: (Run("", read(inputs)),)
