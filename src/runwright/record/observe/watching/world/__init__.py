"""The files that a process tree sees, where they are not the real ones."""
