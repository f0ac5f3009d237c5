"""Requests that a run's processes made, seen from inside of Python or by a proxy, as side effects.

with Hooks(environment, stand_ins=[base_url]) as hooks:  # proxy=Reach(egress, local) for programs in any language
    run(command, hooks.environment)
    found = requests_of(hooks, supervised.log(), stand_ins=[base_url])
"""

from runwright.record.http.connection import Connection
from runwright.record.http.effects import HttpEffects, http_effects
from runwright.record.http.hooks import Hooks
from runwright.record.http.model import Exchange, Seen
from runwright.record.http.proxy import Reach, cannot_proxy
from runwright.record.http.run import requests_of

__all__ = [
    "Connection",
    "Exchange",
    "Hooks",
    "HttpEffects",
    "Reach",
    "Seen",
    "cannot_proxy",
    "http_effects",
    "requests_of",
]
