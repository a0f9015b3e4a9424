"""Feeds: what is read."""

from __future__ import annotations

import atexit
import ctypes
import os
import weakref
from typing import Any, Callable, Iterator, Optional

import pyarrow

from . import _library
from ._errors import FeedError, Problem, call
from ._mapping import Mapping, MappingSource, compiled
from ._parts import Part
from ._pieces import FeedSource, Pieces

_READ = 256 << 10
_open: "weakref.WeakSet[Feed]" = weakref.WeakSet()


class Feed:
    """A feed while it is read: one thread at a time uses it."""

    def __init__(
        self,
        source: FeedSource,
        mapping: Mapping,
        on_reject: Optional[Callable[[Problem], Any]] = None,
        part: Optional[Part] = None,
    ) -> None:
        self._handle: Optional[int] = None
        self._exception: Optional[BaseException] = None
        self._pieces: Optional[Pieces] = None
        # The library calls them as long as the feed is open.
        self._callbacks: list[Any] = []
        functions, handle = _library.library, mapping._handle
        if part is not None:
            if not isinstance(source, (str, os.PathLike)):
                raise TypeError("a part is of a file: give its path")
            path, text = os.fsencode(source), part.text.encode()
            opened = call(functions.streammap_feed_open_part, handle, path, text, failed=None)
        elif isinstance(source, (str, os.PathLike)):
            opened = call(functions.streammap_feed_open_file, handle, os.fsencode(source), failed=None)
        elif isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            opened = call(functions.streammap_feed_open_memory, handle, data, len(data), None, failed=None)
        else:
            self._pieces = Pieces(source)
            self._callbacks.append(self._pieces.callback)
            opened = call(
                functions.streammap_feed_open_callback, handle, self._pieces.callback, None, self._pieces.name, failed=None
            )
        self._handle = opened
        self._on_reject = on_reject
        if on_reject is not None:
            reject = _library.Reject(self._report)
            self._callbacks.append(reject)
            functions.streammap_feed_on_reject(opened, reject, None)
        _open.add(self)

    # --- What the library calls. Nothing may be raised through it: it is kept, and raised after the call.

    def _report(self, _: Any, memory: Any) -> int:
        try:
            if self._on_reject is not None:
                self._on_reject(Problem.of(memory.contents))
            return 0
        except BaseException as error:
            self._exception = error
            return 1

    # --- What is read.

    def _call(self, function: Any, *arguments: Any) -> int:
        if self._handle is None:
            return 0
        try:
            result: int = call(function, self._handle, *arguments, failed=-1)
        except FeedError:
            exception, self._exception = self._exception, None
            if exception is None and self._pieces is not None:
                exception = self._pieces.take_exception()
            if exception is not None:
                raise exception
            raise
        return result

    def batches(self, schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
        """The batches to come."""
        try:
            while True:
                memory = _library.Array()
                address = ctypes.addressof(memory)
                if self._call(_library.library.streammap_feed_next, address) == 0:
                    return
                yield pyarrow.RecordBatch._import_from_c(address, schema)
        finally:
            self.close()

    def lines(self) -> Iterator[bytes]:
        """The output to come, in pieces."""
        buffer = ctypes.create_string_buffer(_READ)
        try:
            while True:
                count = self._call(_library.library.streammap_feed_read, ctypes.addressof(buffer), _READ)
                if count == 0:
                    return
                yield buffer.raw[:count]
        finally:
            self.close()

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            _library.library.streammap_feed_close(handle)
            self._callbacks.clear()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()


@atexit.register
def _close_all() -> None:
    # While the interpreter can still be called.
    for feed in list(_open):
        feed.close()


def read(
    feed: FeedSource,
    mapping: MappingSource,
    *,
    part: Optional[Part] = None,
    on_reject: Optional[Callable[[Problem], Any]] = None,
    **options: Any,
) -> pyarrow.RecordBatchReader:
    """Maps a feed into Arrow columns, batch by batch, with flat memory.

    `feed` is a path, bytes, a file that is open in binary mode, or anything that gives bytes when it is iterated over.
    `mapping` and `options` are those of `Mapping`. `on_reject` is called for each record that cannot be mapped, where
    `errors` is `skip` or `reject`; what it raises ends the feed. `part` is one of `parts(feed, mapping, …)`: only its records
    are read.

    >>> frame = streammap.read("orders.ndjson", "orders.map.yaml").read_pandas()

    Raises `MappingError` at once; while batches are taken, `FeedError` with the address, or what the feed raises. Batches
    that were mapped before an error come out before it.
    """
    mapping = compiled(mapping, options)
    schema = mapping.schema
    return pyarrow.RecordBatchReader.from_batches(schema, Feed(feed, mapping, on_reject, part).batches(schema))


def map_bytes(
    feed: FeedSource,
    mapping: MappingSource,
    *,
    part: Optional[Part] = None,
    on_reject: Optional[Callable[[Problem], Any]] = None,
    **options: Any,
) -> bytes:
    """Maps a feed into output records, each a line of JSON; all of them are in memory.

    Arguments and errors are those of `read`.
    """
    mapping = compiled(mapping, options)
    return b"".join(Feed(feed, mapping, on_reject, part).lines())
