"""The command `manyboost`, which comes with the package: the engine's own command line, in this process."""

import sys

from manyboost._core import command


def main() -> int:
    return command(sys.argv[1:])
