"""`python -m manyboost`: the command line."""

import sys

from manyboost._command import main

sys.exit(main())
