"""How files are called in what is kept: relative to the workspace inside it, by a token outside of it."""

from __future__ import annotations

import os
import secrets
import unicodedata

from blake3 import blake3

OUTSIDE = "/outside/"
"""No name inside the workspace begins with a slash, and none outside is told: so this is neither."""
HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


class Names:
    """Names for one run. A token cannot be guessed back: its key is forgotten with the run."""

    def __init__(self, workspace: bytes) -> None:
        self.workspace = workspace
        self.outside: dict[str, str] = {}
        self._lead = workspace.rstrip(b"/") + b"/"
        self._key = secrets.token_bytes(32)

    def inside(self, path: bytes) -> bool:
        """Whether a real path is in the workspace."""
        return path == self.workspace or path.startswith(self._lead)

    def relative(self, path: bytes) -> bytes:
        """A path of the workspace from there."""
        return path[len(self._lead) :]

    def of(self, path: bytes) -> str:
        """What a real path is called."""
        if path == self.workspace:
            return "."
        if path.startswith(self._lead):
            return readable(self.relative(path))
        token = OUTSIDE + blake3(path, key=self._key).hexdigest(length=8)
        self.outside[token] = readable(path)
        return token

    def of_target(self, link: bytes, target: bytes) -> str:
        """What a symbolic link's target is called: as it is written, unless it leads out of the workspace."""
        real = os.path.realpath(os.path.join(os.path.dirname(link), target))
        if target[:1] != b"/" and self.inside(real):
            return readable(target)
        return self.of(real)


def readable(path: bytes) -> str:
    """A path as text on one line: what cannot be seen or is no text is an escape, and so is a backslash."""
    text = path.decode("utf-8", "surrogateescape")
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return "".join(_escaped(each) for each in text)


def _escaped(mark: str) -> str:
    if mark == "\\":
        return "\\\\"
    code = ord(mark)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if unicodedata.category(mark) not in HIDDEN:
        return mark
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
