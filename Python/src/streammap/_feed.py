"""Feeds: what is read."""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import threading
import warnings
import weakref
from typing import Any, Callable, Iterator, NamedTuple, NoReturn, Optional

import pyarrow

from . import _library
from ._errors import FeedError, Problem, UnfoundWarning, call, call_with_path
from ._mapping import Mapping, MappingSource, compiled
from ._parts import Part
from ._pieces import FeedSource, Pieces

_READ = 256 << 10
_open: "weakref.WeakSet[Feed]" = weakref.WeakSet()


class Counts(NamedTuple):
    """What was read of a feed so far."""

    mapped: int
    """Records that were mapped. With several jobs, or in the middle of a batch, they may not have come out yet."""
    rejected: int
    """Records that could not be mapped."""
    dropped: int
    """Records that the mapping's `where` left out."""
    bytes: int
    """Bytes of the feed, decompressed."""

    @property
    def records(self) -> int:
        """All records."""
        return self.mapped + self.rejected + self.dropped


class Feed:
    """A feed while it is read: one thread at a time uses it, in the process that opened it."""

    def __init__(
        self,
        source: FeedSource,
        mapping: Mapping,
        on_reject: Optional[Callable[[Problem], Any]] = None,
        part: Optional[Part] = None,
    ) -> None:
        self._handle: Optional[int] = None
        self._process = os.getpid()
        # Whether a call is under way, and what is known of the feed: both are looked at and changed together.
        self._state = threading.Lock()
        self._is_busy = self._is_closed = self._is_over = False
        self._counts = Counts(0, 0, 0, 0)
        self._exception: Optional[BaseException] = None
        self._pieces: Optional[Pieces] = None
        # The library calls them as long as the feed is open.
        self._callbacks: list[Any] = []
        functions, handle = _library.library, mapping._handle
        if part is not None:
            if not isinstance(source, (str, os.PathLike)):
                raise TypeError("a part is of a file: give its path")
            opened = call_with_path(functions.streammap_feed_open_part, handle, source, _library.text(part.text))
        elif isinstance(source, (str, os.PathLike)):
            opened = call_with_path(functions.streammap_feed_open_file, handle, source)
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

    def __reduce__(self) -> NoReturn:
        raise TypeError("a feed that is open cannot be pickled: open it where it is read, by its path and the mapping")

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

    def _begin(self) -> bool:
        """Whether there is more to read; the caller ends what it begins."""
        if not self._is_here:
            raise RuntimeError("the feed was opened by the process that forked this one: open it again here")
        with self._state:
            if self._is_closed:
                raise ValueError("the feed is closed")
            if self._is_busy:
                raise ValueError("the feed is being read: one thread at a time may use it")
            if self._is_over:
                return False
            self._is_busy = True
        return True

    def _end(self, is_over: bool) -> None:
        """Ends what was begun; a feed that is over, or was closed meanwhile, is given back."""
        if is_over:
            self._note()
        with self._state:
            self._is_busy = False
            self._is_over = self._is_over or is_over
            is_done = self._is_over or self._is_closed
        if is_done:
            self._release()

    def _call(self, function: Any, *arguments: Any) -> int:
        """A result of the library's; 0 once the feed is over."""
        if not self._begin():
            return 0
        result, notes = 0, []
        try:
            result = call(function, self._handle, *arguments, failed=-1)
            if result == 0:
                notes = self._notes()
        except FeedError:
            exception, self._exception = self._exception, None
            if exception is None and self._pieces is not None:
                exception = self._pieces.take_exception()
            if exception is not None:
                raise exception
            raise
        finally:
            self._end(is_over=result == 0)
        if notes:
            warnings.warn("\n".join(notes), UnfoundWarning, stacklevel=4)
        return result

    def _notes(self) -> list[str]:
        notes: list[str] = json.loads(_library.taken(call(_library.library.streammap_feed_notes, self._handle, failed=None)))
        return notes

    def batch(self, schema: pyarrow.Schema) -> Optional[pyarrow.RecordBatch]:
        """The next batch; None at the end."""
        memory = _library.Array()
        address = ctypes.addressof(memory)
        if self._call(_library.library.streammap_feed_next, address) == 0:
            return None
        return pyarrow.RecordBatch._import_from_c(address, schema)

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

    def _note(self) -> None:
        if self._handle is not None:
            counts = _library.library.streammap_feed_counts(self._handle)
            self._counts = Counts(counts.mapped, counts.rejected, counts.dropped, counts.bytes)

    @property
    def counts(self) -> Counts:
        if self._is_here:
            with self._state:
                # While a call is under way, those from before it.
                if not self._is_busy:
                    self._note()
        return self._counts

    @property
    def _is_here(self) -> bool:
        """A fork has a copy of the memory, and not the threads: it leaves the feed and its lock as they are."""
        return os.getpid() == self._process

    def close(self) -> None:
        """Ends the feed; one that is being read ends with the call that is under way."""
        if not self._is_here:
            return
        with self._state:
            if not self._is_busy:
                self._note()
            self._is_closed = True
            is_busy = self._is_busy
        if not is_busy:
            self._release()

    def _release(self) -> None:
        with self._state:
            handle, self._handle = self._handle, None
        if handle is not None:
            _library.library.streammap_feed_close(handle)
            self._callbacks.clear()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and self._is_here:
            self._release()


class Reader:
    """The record batches of a feed, one after the other: a stream of Arrow.

    It has the methods of `pyarrow.RecordBatchReader`, and it is taken wherever a stream of Arrow is (`__arrow_c_stream__`):
    by polars, DuckDB, pandas and pyarrow, which makes a reader of its own of it by `pyarrow.RecordBatchReader.from_stream`. It is
    read once, by one thread at a time, in the process that made it. Once it is closed, taking a batch is a `ValueError`.
    """

    def __init__(self, feed: Feed, schema: pyarrow.Schema) -> None:
        self._feed = feed
        self._schema = schema

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of all batches."""
        return self._schema

    @property
    def counts(self) -> Counts:
        """How many records were mapped, rejected and dropped so far, and how many bytes were read."""
        return self._feed.counts

    def read_next_batch(self) -> pyarrow.RecordBatch:
        """The next batch; raises `StopIteration` at the end."""
        batch = self._feed.batch(self._schema)
        if batch is None:
            raise StopIteration
        return batch

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        return self.read_next_batch()

    def read_all(self) -> pyarrow.Table:
        """All batches to come, as a table."""
        return pyarrow.Table.from_batches(self, self._schema)

    def read_pandas(self, **options: Any) -> Any:
        """All batches to come, as a frame of pandas; `options` are those of `pyarrow.Table.to_pandas`."""
        return self.read_all().to_pandas(**options)

    def __arrow_c_schema__(self) -> Any:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return pyarrow.RecordBatchReader.from_batches(self._schema, self).__arrow_c_stream__(requested_schema)

    def close(self) -> None:
        """Ends the feed, wherever it is; to close it again does nothing."""
        self._feed.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a reader cannot be pickled: make one where it is read, by the feed's path and the mapping")


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
) -> Reader:
    """Maps a feed into Arrow columns, batch by batch, with flat memory.

    `feed` is a path, bytes, a file that is open in binary mode, or anything that gives bytes when it is iterated over. What is
    compressed by gzip, Zstandard, xz or bzip2 is decompressed.
    `mapping` and `options` are those of `Mapping`. `on_reject` is called for each record that cannot be mapped, where
    `errors` is `skip` or `reject`; what it raises ends the feed. `part` is one of `parts(feed, mapping, …)`: only its records
    are read.

    >>> table = streammap.read("orders.ndjson", "orders.map.yaml").read_all()

    Raises `MappingError` at once; while batches are taken, `FeedError` with the address, or what the feed raises. Batches
    that were mapped before an error come out before it. Fields that found nothing in a whole feed are an `UnfoundWarning` at its
    end; paths of records that did not occur in it are a `FeedError` (`unseenPath`), unless `unseen_paths="ignore"`.
    """
    mapping = compiled(mapping, options)
    schema = mapping.schema
    return Reader(Feed(feed, mapping, on_reject, part), schema)


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
