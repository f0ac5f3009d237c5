"""The story's agent as production ran it, as it was fixed, and as somebody later broke it."""

from pathlib import Path

AGENT = Path(__file__).with_name("agent.py")

WRITE = '    LEDGER[order_id] = {"order_id": order_id, "refunded": amount}\n'
LOOKUP = "    return ORDERS[order_id]\n"


def fixed() -> str:
    """The agent of this repository."""
    return AGENT.read_text(encoding="utf-8")


def buggy() -> str:
    """It reads the ledger before it writes: the first refund's receipt is `{}`, so the model asks again."""
    source = _replace(fixed(), WRITE, "    receipt = LEDGER.get(order_id, {})\n" + WRITE)
    return _replace(source, "    return LEDGER[order_id]\n", "    return receipt\n")


def regressed() -> str:
    """A lookup that now leaves the item out, so that the model is told something else."""
    return _replace(fixed(), LOOKUP, '    return {k: v for k, v in ORDERS[order_id].items() if k != "item"}\n')


def _replace(source: str, old: str, new: str) -> str:
    if source.count(old) != 1:
        raise ValueError(f"agent.py no longer has exactly one line {old!r}")
    return source.replace(old, new)
