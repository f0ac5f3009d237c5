"""The trace: its model, its bytes, and what can be computed from it alone."""

from runwright.late import given_late

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from runwright.trace.whole import *  # noqa: F403 # its names are listed there, once

__getattr__ = given_late(__name__)
