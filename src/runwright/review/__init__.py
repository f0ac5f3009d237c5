"""Pending proposals: list, show, accept, reject."""

from runwright.convert.pending import pending_files
from runwright.review.accept import accept, examine, reject
from runwright.review.pending import Pending, find, pending
from runwright.review.propose import propose
from runwright.review.show import as_json, difference, heading, listing, show
from runwright.review.terminal import commands, review_interactively

__all__ = [
    "Pending",
    "accept",
    "as_json",
    "commands",
    "difference",
    "examine",
    "find",
    "heading",
    "listing",
    "pending",
    "pending_files",
    "propose",
    "reject",
    "review_interactively",
    "show",
]
