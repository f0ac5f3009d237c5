"""All that the package `fingerprint` has to give; loaded when something of it is first asked for."""

from runwright.fingerprint.agree import Agreement, Difference, agree, same_behaviour
from runwright.fingerprint.apart import told_apart
from runwright.fingerprint.behaviours import Behaviour, Group, Seen, behaviours, groups, is_judged
from runwright.fingerprint.build import fingerprint
from runwright.fingerprint.distance import Distance, Part, distance
from runwright.fingerprint.model import FACTS, VERSION, Fact, Fingerprint, as_json, fingerprint_digest
from runwright.fingerprint.stored import dumps_fingerprint, is_fingerprint, loads_fingerprint
from runwright.fingerprint.stream import fingerprint_of_file
from runwright.fingerprint.text import agreements_json, agreements_text, fingerprints_json, fingerprints_text, grouped

__all__ = [
    "FACTS",
    "VERSION",
    "Agreement",
    "Behaviour",
    "Difference",
    "Distance",
    "Fact",
    "Fingerprint",
    "Group",
    "Part",
    "Seen",
    "agree",
    "agreements_json",
    "agreements_text",
    "as_json",
    "behaviours",
    "distance",
    "dumps_fingerprint",
    "fingerprint",
    "fingerprint_digest",
    "fingerprint_of_file",
    "fingerprints_json",
    "fingerprints_text",
    "grouped",
    "groups",
    "is_fingerprint",
    "is_judged",
    "loads_fingerprint",
    "same_behaviour",
    "told_apart",
]
