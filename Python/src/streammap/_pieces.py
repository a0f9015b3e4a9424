"""Feeds that Python reads for the library, piece by piece."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Generator, Iterator, Optional

from . import _library

# What a file is asked for at once.
_SIZE = 256 << 10

class Pieces:
    """What the library reads by a callback: a file that is open in binary mode, or anything that gives bytes."""

    def __init__(self, source: Any) -> None:
        self._read = self._reader(source)
        self._exception: Optional[BaseException] = None
        give = self._give()
        next(give)
        # Has to live as long as the library may call it.
        self.callback = _library.Read(give.send)

    def take_exception(self) -> Optional[BaseException]:
        """What the source raised. Nothing may be raised through the library: it is kept, and raised after the call."""
        exception, self._exception = self._exception, None
        return exception

    @staticmethod
    def _reader(source: Any) -> Callable[[int], Any]:
        if hasattr(source, "read"):

            def read_file(size: int) -> Any:
                piece = source.read(size)
                if piece is None:
                    raise BlockingIOError("the feed's read() gave None: it has no bytes yet, and does not wait for them")
                return piece

            return read_file
        pieces: Iterator[bytes] = iter(source)

        def read(_: int) -> Any:
            for piece in pieces:
                # An empty piece is not the end.
                if not isinstance(piece, (bytes, bytearray, memoryview)) or len(piece) > 0:
                    return piece
            return b""

        return read

    def _give(self) -> Generator[Optional[int], None, None]:
        """What the library calls for the next piece: its address; None if reading fails.

        It is a generator since Python runs the handlers of signals where a function begins, and what they raise there would be lost on
        its way through the library. A generator continues in the middle of its `try`.
        """
        try:
            # The first piece is asked for after this.
            yield None
            while True:
                piece = self._read(_SIZE)
                if not isinstance(piece, (bytes, bytearray, memoryview)):
                    raise TypeError(f"a feed gives bytes, not {type(piece).__name__}; open files in binary mode")
                # It has to stay as it is until the next one.
                content = piece if isinstance(piece, bytes) else bytes(piece)
                given = _library.Piece(content, len(content))
                yield ctypes.addressof(given)
        except GeneratorExit:
            return
        except BaseException as error:
            self._exception = error
        while True:
            yield None
