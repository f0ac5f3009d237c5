"""What a run does, seen while it runs."""
