"""An export passes the secret gate as an import does, and is packed where its name says so."""

from __future__ import annotations

from pathlib import Path

import msgspec
import zstandard

from runwright.trace import Message, TextBlock, dumps_trace
from tests.cli.conftest import Run
from tests.writers.test_foreign import ANSWERED, RUN

SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


def test_secrets_are_refused_or_replaced(project: Path, run: Run) -> None:
    said = Message(role="user", content=(TextBlock(text=f"my token is {SECRET}"),))
    request = msgspec.structs.replace(ANSWERED.request, messages=(said,))
    record = msgspec.structs.replace(ANSWERED, request=request)
    (project / "t.jsonl").write_bytes(dumps_trace(msgspec.structs.replace(RUN, records=(record,))))
    refused = run("runwright export t.jsonl --to har -o t.har", 1)
    assert SECRET not in refused.stderr
    assert not (project / "t.har").exists()
    run("runwright export t.jsonl --to har -o t.har --redact")
    assert SECRET not in (project / "t.har").read_text()
    assert "my token is" in (project / "t.har").read_text()


def test_a_packed_export_holds_the_same_bytes(project: Path, run: Run) -> None:
    (project / "t.jsonl").write_bytes(dumps_trace(RUN))
    run("runwright export t.jsonl --to vcr -o t.yaml")
    run("runwright export t.jsonl --to vcr -o t.yaml.zst")
    with zstandard.open(project / "t.yaml.zst", "rb") as packed:
        assert packed.read() == (project / "t.yaml").read_bytes()
