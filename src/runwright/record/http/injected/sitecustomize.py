"""Put first on an agent's path, this is run by every Python that it starts; then the user's own is, if there is one.

It must do no harm to any Python, old ones included: whatever goes wrong here, the agent runs as it would without.
"""

import os
import sys


def _watch():  # type: ignore[no-untyped-def] # read by every Python, also by those that know no annotations
    if sys.version_info < (3, 8) or not os.environ.get("RUNWRIGHT_SEEN"):
        return
    try:
        __import__("_runwright_http.arrival").arrival.watch()
    except Exception:  # noqa: S110, BLE001 # an agent without hooks is seen by its connections; a broken one by nobody
        pass


def _users_own(folder):  # type: ignore[no-untyped-def]
    """Run the next module of this name on the path, as it would be run if this one were not there."""
    if sys.version_info < (3, 4):
        return
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    rest = [each for each in sys.path if os.path.realpath(each or ".") != folder]
    spec = PathFinder.find_spec("sitecustomize", rest)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_FOLDER = os.path.realpath(os.path.dirname(__file__))
_watch()  # type: ignore[no-untyped-call]
_users_own(_FOLDER)  # type: ignore[no-untyped-call]
