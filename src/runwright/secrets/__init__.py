"""The secret gate: decoded leaves, rules, scan, redaction, allowlist."""

from runwright.late import given_late

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from runwright.secrets.whole import *  # noqa: F403 # its names are listed there, once

__getattr__ = given_late(__name__)
