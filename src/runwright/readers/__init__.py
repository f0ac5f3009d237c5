"""Foreign formats: bytes in, a trace out, and what could not be kept as typed losses."""

from runwright.readers.foreign import HEAD, read_foreign, runs_of, sniff
from runwright.readers.input import Input
from runwright.readers.reader import Reader, Run
from runwright.readers.table import READERS

__all__ = ["HEAD", "READERS", "Input", "Reader", "Run", "read_foreign", "runs_of", "sniff"]
