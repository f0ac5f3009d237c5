"""Runs in Fixtura's own environment: values in, one a line, and out again as its sanitizer leaves them."""

import json
import sys

from fixtura.recorder.sanitizer import Sanitizer

sanitizer = Sanitizer()
for line in sys.stdin:
    print(json.dumps(sanitizer.sanitize(json.loads(line))))
