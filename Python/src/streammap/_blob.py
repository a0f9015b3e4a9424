"""Feeds of stores, which the library reads at any place."""

from __future__ import annotations

import ctypes
from typing import Any, Generator, Optional, Union

from . import _library
from ._errors import FeedError, call
from ._places import File, Opened, Remote

Cut = Union[File, Remote]
"""What can be cut into parts."""

# What is smaller is asked for alone. More is read by a file, which may read ahead.
_SMALL = 64 << 10


class Blob:
    """What the library reads by a callback with an offset: a file of a file system of fsspec's."""

    def __init__(self, place: Remote) -> None:
        self._place = place
        self._file: Any = None
        self._exception: Optional[BaseException] = None
        give = self._give()
        next(give)
        # Both have to live as long as the library may call it.
        self._callback = _library.ReadRange(give.send)
        self._memory = _library.Blob(self._callback, None, place.known_size(), _library.text(place.name))

    def call(self, function: Any, mapping: Any, *arguments: Any) -> Any:
        """Calls a function of the library that reads it; raises what the store raised."""
        try:
            return call(function, mapping, ctypes.pointer(self._memory), *arguments, failed=None)
        except FeedError as error:
            raise (self.take_exception() or error) from None

    def take_exception(self) -> Optional[BaseException]:
        """What the store raised. Nothing may be raised through the library: it is kept, and raised after the call."""
        exception, self._exception = self._exception, None
        return exception

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _give(self) -> Generator[int, Any, None]:
        """What the library calls for some bytes: how many there are; -1 if reading fails. It is a generator as that of `Pieces` is."""
        try:
            # The first bytes are asked for after this.
            asked = yield 0
            while True:
                range = asked.contents
                content = self._read(range.offset, range.size)
                ctypes.memmove(range.buffer, content, len(content))
                asked = yield len(content)
        except GeneratorExit:
            return
        except BaseException as error:
            self._exception = error
        while True:
            yield -1

    def _read(self, offset: int, size: int) -> bytes:
        file = self._file
        if size < _SMALL and (file is None or file.tell() != offset):
            return self._place.range(offset, size)
        if file is None:
            file = self._file = self._place.file()
        if file.tell() != offset:
            file.seek(offset)
        content: bytes = file.read(size)
        return content


def opened_part(place: Cut) -> Opened:
    """What a part of a feed is read from."""
    if isinstance(place, File):
        return Opened(place.path, place.name, is_path=True)
    blob = Blob(place)
    return Opened(blob, place.name, close=blob.close)
