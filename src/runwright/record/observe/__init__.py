"""What a command does to files, seen from outside while it runs: any program, in any language, with all it starts."""

from runwright.record.observe.model import SEEN as SEEN, Observed as Observed
from runwright.record.observe.observe import (
    WAIT as WAIT,
    End as End,
    Look as Look,
    look as look,
    observed_of as observed_of,
    workspace_root as workspace_root,
)
from runwright.record.observe.supervised import (
    Supervised as Supervised,
    cannot_hold as cannot_hold,
    cannot_observe as cannot_observe,
)
from runwright.record.observe.watching.orders import Orders as Orders
