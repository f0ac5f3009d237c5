"""What is asked for most often and done soonest, without the libraries that take longest to load.

It prints what the command itself would print, to the byte, or nothing: whatever is out of the common, the command does.
"""

# ruff: noqa: PTH113, PTH123, PTH202 (pathlib takes as long to load as a small trace to read)
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Sequence

    from runwright.fingerprint.summary import Summary

HEAD = b'{"format":"runwright.trace",'


def quick(arguments: Sequence[str]) -> int | None:
    """Run a command line that is soon done; the exit status, or None where nothing was done."""
    if len(arguments) < 2 or arguments[0] != "fingerprint" or "_RUNWRIGHT_COMPLETE" in os.environ:
        return None
    names = [each for each in arguments[1:] if each != "--json"]
    if not names or any(map(_is_odd, names)):
        return None
    return _fingerprint(names, "--json" in arguments)


def _is_odd(name: str) -> bool:
    """Whether it is no name, or one that is shown otherwise than it is given."""
    return not name or name.startswith(("-", "./")) or name.endswith(("/", "/.")) or "//" in name or "/./" in name


def _fingerprint(names: Sequence[str], as_json: bool) -> int | None:
    """`runwright fingerprint` of small traces that are whole and sealed, and of which nothing looks like a secret."""
    from runwright.trace.holds import NotSure

    try:
        found = [(name, _summary(name)) for name in names]
    except NotSure:
        return None
    from runwright.fingerprint.shown import summaries_json, summaries_text

    if as_json:
        import json

        text = json.dumps(summaries_json(found), indent=2, ensure_ascii=False) + "\n"
    else:
        text = summaries_text(found).rstrip("\n") + "\n"
    from runwright.secrets.plain import is_plain

    if not is_plain(text):
        return None
    sys.stdout.write(text)
    return 0


def _summary(name: str) -> Summary:
    from runwright.fingerprint.lines import summary_of_lines
    from runwright.trace.holds import NotSure
    from runwright.trace.small import SMALL, small_trace

    try:
        if not os.path.isfile(name) or os.path.getsize(name) > SMALL:
            raise NotSure
        with open(name, "rb") as stream:
            data = stream.read()
    except (OSError, ValueError) as error:
        raise NotSure from error
    if not data.startswith(HEAD):
        raise NotSure
    return summary_of_lines(small_trace(data))
