"""From a trace to the forms that other tools read."""

from runwright.writers.atif import write_atif
from runwright.writers.foreign import write_foreign
from runwright.writers.har import write_har
from runwright.writers.otlp import write_otlp
from runwright.writers.table import WRITERS
from runwright.writers.vcr import write_vcr
from runwright.writers.writer import Writer, Written
from runwright.writers.writing import in_short

__all__ = [
    "WRITERS",
    "Writer",
    "Written",
    "in_short",
    "write_atif",
    "write_foreign",
    "write_har",
    "write_otlp",
    "write_vcr",
]
