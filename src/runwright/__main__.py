"""`python -m runwright`."""

import sys

from runwright.cli.app import main

sys.exit(main())
