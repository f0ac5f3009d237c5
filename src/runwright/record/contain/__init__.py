"""What a command may reach and change, held while it runs, and what it tried beyond that.

containment = Containment(local=(port,), egress=("api.example.com:443",))
with Supervised(Orders(folder, network=reach_of(containment))) as supervised:
    ...
    found = contained(supervised.log())
"""

from runwright.record.contain.contained import Contained as Contained, contained as contained
from runwright.record.contain.containment import (
    Containment as Containment,
    cannot_contain as cannot_contain,
    reach_of as reach_of,
)
