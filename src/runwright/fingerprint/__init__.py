"""What a run did, as a value that can be compared: the fingerprint of a trace."""

from runwright.late import given_late

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from runwright.fingerprint.whole import *  # noqa: F403 # its names are listed there, once

__getattr__ = given_late(__name__)
