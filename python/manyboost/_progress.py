"""How training goes, for whoever watches: one line that is written over, or a line now and then."""

from __future__ import annotations

import builtins
import sys
import time
from typing import Any, TextIO

# Seconds between two lines that are written over one another.
PAUSE = 0.1
WIDTH = 79
# What is told, and what it is called: what matters first.
FIGURES = {
    "valid_error": "valid error", "valid_loss": "valid loss", "test_error": "test error", "train_error": "train error",
    "loss": "loss", "edge": "edge",
}


class Progress:
    """A callback that tells of rounds."""

    def __init__(self, every: int | None, rounds: int | None, out: TextIO) -> None:
        # Rounds between two lines; none for one line that is written over.
        self._every = every
        self._rounds = rounds
        self._out = out
        self._began: float | None = None
        self._last = 0.0
        self._line = ""

    @classmethod
    def of(cls, verbose: bool | int, rounds: Any) -> Progress | None:
        """What `verbose` asks for, if anybody can see it."""
        if isinstance(verbose, bool) or not isinstance(verbose, int) or verbose < 0:
            if verbose not in (True, False):
                raise ValueError(f"verbose={verbose!r}: not a value that it takes\nverbose takes True, False, or rounds between two lines")
            every = None
        else:
            every = verbose
        if not verbose:
            return None
        notebook = hasattr(builtins, "__IPYTHON__") and "ipykernel" in sys.modules
        out = sys.stdout if notebook else sys.stderr
        if every is None and not notebook and not out.isatty():
            return None
        return cls(every, rounds if isinstance(rounds, int) else None, out)

    def __call__(self, number: int, figures: dict[str, float]) -> bool:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        line = self._words(number, now - self._began, figures)
        if self._every is not None:
            if number % self._every == 0:
                print(line, file=self._out, flush=True)
        elif now - self._last >= PAUSE or not self._line:
            self._write(line)
            self._last = now
        else:
            self._line = line
        return False

    def _words(self, number: int, elapsed: float, figures: dict[str, float]) -> str:
        of, left = "", ""
        if self._rounds is not None:
            of = f"/{self._rounds}"
            if number > 1:
                left = f", {_clock(elapsed / (number - 1) * (self._rounds - number))} left"
        line = f"round {number}{of}  {_clock(elapsed)}{left}"
        for name, words in FIGURES.items():
            if name in figures:
                value = figures[name]
                more = f"  {words} {100 * value:.2f} %" if name.endswith("_error") else f"  {words} {value:.4f}"
                # What has no room is not told, and no word ends in the middle.
                line += more if len(line) + len(more) <= WIDTH else ""
        return line

    def _write(self, line: str) -> None:
        self._out.write("\r" + line.ljust(WIDTH))
        self._out.flush()
        self._line = line

    def close(self) -> None:
        """Leaves the last line where it is."""
        if self._every is None and self._line:
            self._write(self._line)
            self._out.write("\n")
            self._out.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
