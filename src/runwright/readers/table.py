"""The formats that can be read, in one table."""

from __future__ import annotations

from runwright.readers.flowproof import FLOWPROOF
from runwright.readers.har import HAR
from runwright.readers.mitmproxy import MITMPROXY
from runwright.readers.model_log import MODEL_LOG
from runwright.readers.native import NATIVE
from runwright.readers.otlp import OTLP
from runwright.readers.reader import Reader
from runwright.readers.vcr import VCR

READERS: dict[str, Reader] = {
    "runwright": NATIVE,
    "otlp": OTLP,
    "model_log": MODEL_LOG,
    "flowproof": FLOWPROOF,
    "vcr": VCR,
    "har": HAR,
    "mitmproxy": MITMPROXY,
}
