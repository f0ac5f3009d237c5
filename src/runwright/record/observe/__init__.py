"""What a command does to files, seen from outside while it runs: any program, in any language, with all it starts."""

from runwright.record.observe.model import SEEN as SEEN, Observed as Observed
from runwright.record.observe.observe import WAIT as WAIT, observe as observe
from runwright.record.observe.watched import cannot_observe as cannot_observe
