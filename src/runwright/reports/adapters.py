"""The table of the libraries whose agents and tools are understood, for the docs."""

from __future__ import annotations

from runwright.spec import ADAPTERS


def adapters_markdown() -> str:
    """One row a library, in the order of the table."""
    lines = ["| library | tried with | gives | does not tell | proof |", "|---|---|---|---|---|"]
    lines += [f"| {each.name} | {each.tried_with} | {each.gives} | {each.leaves} | {each.proof} |" for each in ADAPTERS]
    return "\n".join(lines)
