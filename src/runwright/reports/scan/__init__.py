"""What a scan for secrets found, for people, for programs, and for code hosts."""

from runwright.reports.scan.json import scan_json
from runwright.reports.scan.sarif import sarif
from runwright.reports.scan.text import notes_text, scan_text

__all__ = ["notes_text", "sarif", "scan_json", "scan_text"]
