"""Where two traces are so unlike each other that looking at everything would take too long: what was looked at less."""

from __future__ import annotations

from typing import Literal, TypeAlias

Coarse = Literal["alignment", "pairing", "causes"]
"""`alignment`: equal items of a long stretch, none of which occurs just once, were looked for some thousands at a time.
`pairing`: unequal items of a long stretch were paired by what they are, not by what they say. `causes`: of records that
changed places not all were followed to what they come after, so that some that are told as moved may be parallel."""

Notes: TypeAlias = "set[Coarse]"
"""Takes note of it."""
