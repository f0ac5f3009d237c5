"""The words of the format that stand alone: who needs only them need not load the model."""

from __future__ import annotations

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from runwright.trace.model import EffectKind

FORMAT = "runwright.trace"
VERSION = 1

EFFECT_KINDS: tuple[EffectKind, ...] = (
    "fs_write",
    "fs_delete",
    "fs_rename",
    "fs_truncate",
    "http_request",
    "db_change",
    "sap_transaction",
)

LANES: tuple[str, ...] = ("message", "model", "tool", "mcp", "http", "side_effect", "policy", "blob", "fault")
