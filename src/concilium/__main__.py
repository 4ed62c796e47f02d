"""``python -m concilium``: the command line."""

import sys

from concilium.cli import main

sys.exit(main())
