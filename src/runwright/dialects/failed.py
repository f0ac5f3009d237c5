"""Failed calls as the bodies of their responses tell them."""

from __future__ import annotations

from runwright.trace.model import JSON, ModelError


def error_fields(told: JSON) -> dict[str, JSON]:
    """The fields of what a body says of an error; what is no object is its message."""
    return told if isinstance(told, dict) else {"message": told}


def error_of(status: int | None, body: JSON, message: JSON, kind: JSON) -> ModelError:
    """The error of a failed call, of a message and a kind that may be anything; the body is kept as it came."""
    return ModelError(
        message=message if isinstance(message, str) else f"model call failed with status {status}",
        status=status,
        kind=kind if isinstance(kind, str) else None,
        body=body,
    )
