"""A desk beside whoever called `fit`: the first worker brings checkpoints and figures of rounds there, and is told whether to go on.

It is a mesh of two, with a token and a deadline as any other: whoever listens at the desk notices when the worker is lost, and the worker when
the caller is. Each message of the worker is answered, so that both are always at the same place.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from typing import Any

from manyboost import _core
from manyboost._base import Callback

# Seconds between two looks whether anybody still waits.
TURN = 1.0

GO, END = b"go", b"end"


class Desk:
    """The caller's side: hears the first worker of one attempt."""

    def __init__(
        self,
        listener: _core.Listener,
        address: str,
        token: bytes,
        attempt: str,
        deadline: float,
        keep: Callable[[bytes], object],
        callback: Callback | None,
    ) -> None:
        self.listener, self.token, self.attempt, self.deadline = listener, token, attempt, deadline
        # Where workers find it, which may be another place than where it listens.
        self.address = address
        self.keep, self.callback = keep, callback
        # Where all workers are, once they are together.
        self.names: list[str] = []
        # What ended the training early: a loss, or an error of a callback.
        self.error: BaseException | None = None
        self.over = threading.Event()
        self.left = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Hears nobody any more."""
        self.over.set()

    def _listen(self) -> None:
        try:
            mesh = self._joined()
            if mesh is not None:
                try:
                    self._hear(mesh)
                finally:
                    mesh.leave()
        except _core.WorkerError as error:
            # The first worker is the second one of this mesh.
            self.error = _core.WorkerError(re.sub("^worker 1 ", "worker 0 ", str(error)))
        except BaseException as error:
            self.error = error
        finally:
            self.left.set()

    def _joined(self) -> _core.Mesh | None:
        """Waits for the first worker: as long as anybody waits."""
        while not self.over.is_set():
            try:
                return self.listener.join(
                    [self.address, "the first worker"], 0, self.token, self.attempt, self.deadline, patience=TURN
                )
            except _core.WorkerError:
                continue
        return None

    def _hear(self, mesh: _core.Mesh) -> None:
        while True:
            said = mesh.gather(b"")[1]
            kind, body = said[:1], bytes(said[1:])
            answer = GO
            if kind == b"A":
                self.names = json.loads(body)
            elif kind == b"C":
                self.keep(body)
            elif kind == b"R" and self.callback is not None:
                try:
                    answer = END if self.callback(*json.loads(body)) else GO
                except BaseException as error:
                    # Training ends as after an interrupt, and `fit` says why.
                    self.error, answer = error, END
            elif kind == b"E":
                self.error = _core.WorkerError(body.decode())
            mesh.gather(answer)
            if kind in (b"D", b"E"):
                return


class Caller:
    """The first worker's side."""

    def __init__(self, host: str, address: str, token: bytes, attempt: str, deadline: float) -> None:
        listener = _core.Listener(host)
        try:
            self.mesh = listener.join([address, listener.address], 1, token, attempt, deadline)
        except _core.WorkerError as error:
            # To try again would not help.
            raise RuntimeError(
                f"the first worker cannot reach whoever called fit, at {address}\nlet workers connect to a port there (ports)"
            ) from error

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            if isinstance(error, _core.WorkerError):
                self._say(b"E", str(error).encode())
            else:
                self._say(b"D", b"")
        except _core.WorkerError:
            # The caller is gone.
            pass
        finally:
            self.mesh.leave()

    def introduce(self, addresses: list[str]) -> None:
        """Says where all workers are."""
        self._say(b"A", json.dumps(addresses).encode())

    def keep(self, checkpoint: bytes) -> None:
        """Hands a checkpoint over."""
        self._say(b"C", bytes(checkpoint))

    def round(self, number: int, figures: dict[str, Any]) -> bool:
        """Tells of a round; whether training is to end."""
        return self._say(b"R", json.dumps([number, figures]).encode()) == END

    def _say(self, kind: bytes, body: bytes) -> bytes:
        try:
            self.mesh.gather(kind + body)
            return bytes(self.mesh.gather(b"")[0])
        except _core.WorkerError as error:
            raise _core.WorkerError(f"whoever called fit is lost: {error}") from error
