"""Property tests try the same examples on every run; `scripts/fuzz` tries new ones, and more of them."""

import os

from hypothesis import settings

settings.register_profile("repeatable", max_examples=40, derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=2000, deadline=None)
settings.load_profile("fuzz" if os.environ.get("RUNWRIGHT_FUZZ") else "repeatable")

pytest_plugins = ["pytester"]
collect_ignore_glob = ["*.flow.yaml", "*.flow.yml"]  # flows here are what tests are about, not tests
