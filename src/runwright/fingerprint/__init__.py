"""What a run did, as a value that can be compared: the fingerprint of a trace."""

from runwright.fingerprint.agree import Agreement, Difference, agree
from runwright.fingerprint.build import fingerprint
from runwright.fingerprint.model import FACTS, VERSION, Fact, Fingerprint, as_json, fingerprint_digest
from runwright.fingerprint.stored import dumps_fingerprint, is_fingerprint, loads_fingerprint
from runwright.fingerprint.text import agreements_json, agreements_text, fingerprints_json, fingerprints_text, grouped

__all__ = [
    "FACTS",
    "VERSION",
    "Agreement",
    "Difference",
    "Fact",
    "Fingerprint",
    "agree",
    "agreements_json",
    "agreements_text",
    "as_json",
    "dumps_fingerprint",
    "fingerprint",
    "fingerprint_digest",
    "fingerprints_json",
    "fingerprints_text",
    "grouped",
    "is_fingerprint",
    "loads_fingerprint",
]
