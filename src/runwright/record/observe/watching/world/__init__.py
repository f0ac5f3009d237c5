"""The files that a process tree sees, where they are not the real ones."""

MOVED = "what is protected is no longer where it was"
CHANGED = "what is protected was changed by another of its names"
