"""Text that others chose, made safe to be shown beside our own."""

from __future__ import annotations


def visible(text: str) -> str:
    """The text on one line of which no part can pass for another: what cannot be seen, or moves a cursor, is an escape.

    Text that is escaped already, as names of files that an observer wrote down are, stays as it is.
    """
    return text if text.isprintable() else "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(mark: str) -> str:
    return mark.encode("unicode_escape").decode("ascii")
