"""One exception tree. Every error has a slug (documented in docs/reference/messages.md) and may carry a hint."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The one table of exit codes."""

    OK = 0
    FAILED = 1
    NOT_JUDGED = 2
    INTERRUPTED = 130


class RunwrightError(Exception):
    """Base of every error this tool raises on purpose.

    `slug` names the kind of error, `place` says where (`file:line: $.path`), `hint` says what to do.
    """

    slug = "error"
    exit_code = Exit.NOT_JUDGED

    def __init__(self, message: str, *, place: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class UsageError(RunwrightError):
    """The command line or an argument makes no sense."""

    slug = "usage"


class TraceError(RunwrightError):
    """A line of a trace breaks the format."""

    slug = "bad-trace"


class IncompleteTrace(TraceError):
    """The seal is missing or wrong: the trace cannot be trusted to be whole."""

    slug = "incomplete-trace"


class UnknownVersion(TraceError):
    """The trace was written by a newer major version of the format."""

    slug = "unknown-version"


class ReaderError(RunwrightError):
    """A foreign file could not be read as the format it claims or seems to be."""

    slug = "unreadable-input"


class UnknownFormat(ReaderError):
    """No reader recognises the bytes."""

    slug = "unknown-format"


class NotConvertible(RunwrightError):
    """The run was read, but what a replay needs was not captured."""

    slug = "not-convertible"


class NotComparable(RunwrightError):
    """Too little is known of what a run did to say whether another did the same."""

    slug = "not-comparable"


class DialectError(RunwrightError):
    """A wire body holds something this model API's dialect cannot represent."""

    slug = "not-representable"


class FlowError(RunwrightError):
    """A flow file is wrong."""

    slug = "bad-flow"


class UnsetVariable(FlowError):
    """A `${VAR}` names a variable that the environment does not set."""

    slug = "unset-variable"


class CapabilityError(RunwrightError):
    """What is asked for cannot be observed or enforced here."""

    slug = "capability"


class Unreachable(RunwrightError):
    """An agent that should run already does not answer, or the port of its model is taken."""

    slug = "unreachable"


class HookError(RunwrightError):
    """A command of the suite file failed, so what it was to prepare, or to clear away, is not."""

    slug = "hook"


class AgentSpecError(RunwrightError):
    """What an agent is built from could not be asked of it, or is no specification."""

    slug = "agent-spec"


class ReviewError(RunwrightError):
    """A proposal cannot be accepted or rejected as asked."""

    slug = "review"


class ReplayFailed(RunwrightError, AssertionError):
    """Code that ran against a cassette in a test did not do what is recorded."""

    slug = "replay-failed"
    exit_code = Exit.FAILED


class SecretsFound(RunwrightError):
    """The gate found secrets; nothing was written."""

    slug = "secrets-found"
    exit_code = Exit.FAILED
