"""Feeds that Python reads for the library, piece by piece."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterator, Optional

from . import _library


class Pieces:
    """What the library reads by a callback: a file that is open in binary mode, or anything that gives bytes."""

    def __init__(self, source: Any) -> None:
        self._read = self._reader(source)
        self._rest = memoryview(b"")
        self._exception: Optional[BaseException] = None
        self.is_over = False
        # Has to live as long as the library may call it.
        self.callback = _library.Read(self._fill)

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

    def _fill(self, _: Any, buffer: int, size: int) -> int:
        try:
            if not self._rest:
                piece = self._read(size)
                if not isinstance(piece, (bytes, bytearray, memoryview)):
                    raise TypeError(f"a feed gives bytes, not {type(piece).__name__}; open files in binary mode")
                self._rest = memoryview(piece).cast("B")
                self.is_over = not self._rest
            count = min(size, len(self._rest))
            ctypes.memmove(buffer, bytes(self._rest[:count]), count)
            self._rest = self._rest[count:]
            return count
        except BaseException as error:
            self._exception = error
            return -1
