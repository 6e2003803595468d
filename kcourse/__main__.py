"""``python -m kcourse`` is the command ``kcourse``."""

import sys

from kcourse.commands.cli import main

sys.exit(main())
