"""What sees the system calls of a process tree: standard library only, since it runs in a process of its own.

It is started by path, as the top-level package `watching`, so its modules import one another relatively
and nothing else.
"""
