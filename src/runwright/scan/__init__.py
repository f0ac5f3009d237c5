"""Files of any kind looked at for secrets; what could not be looked at is never clean."""

from runwright.scan.found import FileScan, Hit, Scan, State
from runwright.scan.scan import scan_input, scan_paths

__all__ = ["FileScan", "Hit", "Scan", "State", "scan_input", "scan_paths"]
