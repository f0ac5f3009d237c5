"""A verdict that is no pass, as pytest shows it."""

from __future__ import annotations

from types import CodeType, TracebackType

from _pytest.outcomes import Failed  # pytest.fail.Exception, as a type that can be a base

from runwright.secrets import clean_text


class Verdict(Failed):
    """Ends a test; pytest shows its text, with whatever secret it holds taken out, and no traceback."""

    def __init__(self, text: str) -> None:
        super().__init__(clean_text(text), pytrace=False)


Verdict.__module__ = "builtins"  # pytest's summary then says `Verdict: FAIL, ...` and no module path


def frame_of(code: CodeType | None, error: BaseException) -> TracebackType | None:
    """The one entry of an error's traceback that stands in the function with this code."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is code:
            return TracebackType(None, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
        trace = trace.tb_next
    return None
