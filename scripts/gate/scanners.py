"""What is compared: Runwright's gate, detect-secrets as it comes, and Fixtura's sanitizer."""

from __future__ import annotations

import base64
import binascii
import json
import re
import subprocess
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from detect_secrets.core.scan import scan_file
from detect_secrets.settings import default_settings

from runwright.secrets import redact_value, scan_value
from runwright.secrets.leaves import leaves
from runwright.trace.model import JSON

FIXTURA = "fixtura==2.0.1"
REDACT = Path(__file__).with_name("fixtura_redacts.py")
PIECE = 12
"""So many characters of a secret in a row are as good as the secret."""

RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}")


def runwright_finds(value: JSON) -> bool:
    """Whether the gate would stop it."""
    return bool(scan_value(value))


def runwright_removes(value: JSON, core: str) -> bool:
    """Whether the gate would stop it, and nothing of the secret is left where it is asked to redact."""
    return runwright_finds(value) and not readable(redact_value(value), core)


def detect_secrets_finds(values: Sequence[JSON]) -> list[bool]:
    """Stock detect-secrets on a file with a line of JSON for each value: what its command line reports."""
    return _reported([[json.dumps(value)] for value in values])


def detect_secrets_on_leaves(values: Sequence[JSON]) -> list[bool]:
    """Stock detect-secrets on a file with a line for each line of a decoded string, as `name: "line"`."""
    return _reported([list(_lines(value)) for value in values])


def _reported(texts: Sequence[Sequence[str]]) -> list[bool]:
    """Of which texts stock detect-secrets reports a line, all of them in one file."""
    owners = [number for number, lines in enumerate(texts) for _ in lines]
    with tempfile.TemporaryDirectory() as folder, default_settings():
        path = Path(folder) / "trace.jsonl"
        path.write_text("".join(f"{line}\n" for lines in texts for line in lines), encoding="utf-8")
        found = {owners[secret.line_number - 1] for secret in scan_file(str(path))}
    return [number in found for number in range(len(texts))]


def _lines(value: JSON) -> Iterator[str]:
    for leaf in leaves(value):
        name = next((part for part in reversed(leaf.parts) if isinstance(part, str)), "")
        for line in re.split(r"[\r\n]+", leaf.text):
            yield f'{name}: "{line}"' if leaf.kind != "key" else line


def fixtura_redacts(values: Sequence[JSON], folder: Path) -> list[JSON]:
    """The values after Fixtura's sanitizer, which runs in an environment of its own."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", FIXTURA],
            check=True,
            capture_output=True,
        )
    lines = "".join(json.dumps(value) + "\n" for value in values)
    done = subprocess.run([python, REDACT], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def readable(value: Any, core: str) -> bool:
    """Whether a value still gives the secret, or a good part of it, away to whoever decodes what it encloses."""
    wanted = {core[at : at + PIECE] for at in range(max(1, len(core) - PIECE + 1))}
    return any(piece in text for text in _readings(value, 4) for piece in wanted)


def _readings(value: Any, depth: int) -> Iterator[str]:
    """Every text in a value, decoded by other means than the gate's."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _readings(key, depth)
            yield from _readings(each, depth)
        yield from _joined(list(value.values()), depth)
    elif isinstance(value, list):
        for each in value:
            yield from _readings(each, depth)
        yield from _joined(value, depth)
    elif isinstance(value, str):
        yield value
        if depth:
            yield from _inside(value, depth - 1)
    elif value is not None:
        yield str(value)


def _joined(values: list[Any], depth: int) -> Iterator[str]:
    """The strings of a list's items, one behind the other: how a stream is read."""
    if depth and len(values) > 1:
        yield "".join(_words(values))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("choices", "delta", "content", "parts", "candidates", "tool_calls", "function") or (
                isinstance(each, str) and key in ("text", "arguments", "partial_json")
            ):
                yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str):
        yield value


def _inside(text: str, depth: int) -> Iterator[str]:
    try:
        events = [json.loads(event) for event in re.findall(r"^data: (\{.*\})$", text, re.MULTILINE)]
    except ValueError:
        events = []
    if events:
        yield from _readings(events, depth)
    try:
        yield from _readings(json.loads(text), depth)
    except ValueError:
        undone = text.replace("\\\\", "\\").replace('\\"', '"').replace("\\n", "\n").replace("\\/", "/")
        if undone != text:
            yield from _readings(undone, depth)
    if "%" in text:
        yield unquote(text)
    for run in RUN.findall(text):
        try:
            raw = base64.b64decode(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
        except binascii.Error:
            continue
        yield raw.decode("utf-8", "ignore")
