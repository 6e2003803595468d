"""``python -m kcourse`` is the command ``kcourse``."""

import sys

from kcourse.cli import main

sys.exit(main())
