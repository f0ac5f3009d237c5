"""What is seen of the files that a process tree changes."""
