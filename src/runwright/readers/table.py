"""The formats that can be read, in one table."""

from __future__ import annotations

from runwright.readers.flowproof import FLOWPROOF
from runwright.readers.model_log import MODEL_LOG
from runwright.readers.native import NATIVE
from runwright.readers.otlp import OTLP
from runwright.readers.reader import Reader

READERS: dict[str, Reader] = {
    "runwright": NATIVE,
    "otlp": OTLP,
    "model_log": MODEL_LOG,
    "flowproof": FLOWPROOF,
}
