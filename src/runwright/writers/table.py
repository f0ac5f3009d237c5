"""The forms that traces can be written in, in one table."""

from __future__ import annotations

from runwright.writers.atif import ATIF
from runwright.writers.har import HAR
from runwright.writers.otlp import OTLP
from runwright.writers.vcr import VCR
from runwright.writers.writer import Writer

WRITERS: dict[str, Writer] = {
    "vcr": VCR,
    "har": HAR,
    "otlp": OTLP,
    "atif": ATIF,
}
