"""Child processes of tests that are interrupted."""

import signal


def heed_interrupts() -> None:
    """For `preexec_fn`: a shell's background jobs ignore interrupts, and so would whatever they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
