"""One feed while it is read."""

from __future__ import annotations

import atexit
import ctypes
import dataclasses
import json
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Generator, NoReturn, Optional, Union

from . import _library
from ._blob import Blob
from ._errors import FeedError, Problem, call, call_with_path
from ._mapping import Mapping
from ._parts import Part
from ._pieces import Pieces
from ._places import Opened

if TYPE_CHECKING:
    import pyarrow

_READ = 256 << 10
_open: "weakref.WeakSet[Feed]" = weakref.WeakSet()


@dataclasses.dataclass(frozen=True)
class Summary:
    """What was read so far."""

    mapped: int = 0
    """Records that were mapped. With several jobs, or in the middle of a batch, they may not have come out yet."""
    rejected: int = 0
    """Records that could not be mapped."""
    dropped: int = 0
    """Records that the mapping's `where` left out."""
    bytes: int = 0
    """Bytes of the feeds, decompressed."""
    feeds: int = 0
    """Feeds that were begun."""
    unfound: tuple[str, ...] = ()
    """What the mapping found in no record of any feed, as `idd never occurred; did you mean id?`. Known when all is read."""
    is_complete: bool = False
    """Whether all of all feeds was read."""

    @property
    def records(self) -> int:
        """All records."""
        return self.mapped + self.rejected + self.dropped


@dataclasses.dataclass(frozen=True)
class Counts:
    """What was read of one feed."""

    mapped: int
    rejected: int
    dropped: int
    bytes: int

    @classmethod
    def of(cls, memory: _library.Counts) -> "Counts":
        return cls(memory.mapped, memory.rejected, memory.dropped, memory.bytes)


class Feed:
    """A feed while it is read: one thread at a time uses it, in the process that opened it."""

    def __init__(
        self,
        opened: Opened,
        mapping: Mapping,
        part: Optional[Part],
        on_reject: Optional[Callable[[Problem], Any]],
        on_progress: Callable[[Counts], Any],
    ) -> None:
        self._handle: Any = None
        self._process = os.getpid()
        # Whether a call is under way, and what is known of the feed: both are looked at and changed together.
        self._state = threading.Lock()
        self._is_busy = self._is_closed = self._is_over = False
        self.counts = Counts(0, 0, 0, 0)
        self.notes: list[str] = []
        self._exception: Optional[BaseException] = None
        # What reads for the library, and keeps what that raises.
        self._pieces: Union[Pieces, Blob, None] = None
        self._opened = opened
        self._on_reject, self._on_progress = on_reject, on_progress
        self._reported = 0
        # The library calls them as long as the feed is open.
        watch = self._watch()
        next(watch)
        self._callbacks: list[Any] = [_library.Progress(watch.send)]
        try:
            self._handle = self._begin_reading(mapping._handle, part)
        except BaseException:
            self._end_reading()
            raise
        functions = _library.library
        functions.streammap_feed_on_progress(self._handle, self._callbacks[0], None)
        if on_reject is not None:
            self._callbacks.append(_library.Reject(self._report))
            functions.streammap_feed_on_reject(self._handle, self._callbacks[-1], None)
        _open.add(self)

    def _begin_reading(self, mapping: Any, part: Optional[Part]) -> Any:
        functions, content, name = _library.library, self._opened.content, self._opened.name
        if part is not None:
            if isinstance(content, Blob):
                self._pieces = content
                return content.call(functions.streammap_feed_open_part_blob, mapping, _library.text(part.text))
            return call_with_path(functions.streammap_feed_open_part, mapping, content, _library.text(part.text))
        if self._opened.is_path:
            return call_with_path(functions.streammap_feed_open_file, mapping, content)
        encoded = None if name is None else _library.text(name)
        if isinstance(content, bytes):
            return call(functions.streammap_feed_open_memory, mapping, content, len(content), encoded, failed=None)
        self._pieces = Pieces(content)
        self._callbacks.append(self._pieces.callback)
        return call(functions.streammap_feed_open_callback, mapping, self._pieces.callback, None, encoded, failed=None)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a feed that is open cannot be pickled: open it where it is read, by its path and the mapping")

    # --- What the library calls. Nothing may be raised through it: it is kept, and raised after the call.

    def _report(self, _: Any, memory: Any) -> int:
        try:
            if self._on_reject is not None:
                self._on_reject(Problem.of(memory.contents))
            self._reported += 1
            return 0
        except BaseException as error:
            self._exception = error
            return 1

    def _watch(self) -> Generator[int, None, None]:
        """What the library calls before each piece and each reject: 0 to continue.

        Python runs the handlers of signals where a function begins, and what they raise there would be lost on its way through the
        library. A generator continues in the middle of its `try`: so Ctrl-C ends the feed.
        """
        try:
            while True:
                yield 0
                self._on_progress(self._counted())
        except GeneratorExit:
            return
        except BaseException as error:
            self._exception = error
        while True:
            yield 1

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
        self.counts = self._counted()
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
        result = 0
        try:
            result = call(function, self._handle, *arguments, failed=-1)
            if result == 0:
                self._check_reports()
                self.notes = json.loads(_library.taken(call(_library.library.streammap_feed_notes, self._handle, failed=None)))
        except FeedError as error:
            exception, self._exception = self._exception, None
            if exception is None and self._pieces is not None:
                exception = self._pieces.take_exception()
            if exception is None and error.code == "callback":
                # A signal ended a call from the library where that began.
                exception = KeyboardInterrupt()
            if exception is not None:
                raise exception
            raise
        finally:
            self._end(is_over=result == 0)
        return int(result)

    def _check_reports(self) -> None:
        """A signal may have ended the report of a reject where it began: then the library knows nothing of it."""
        if self._on_reject is not None and self._reported != self._counted().rejected:
            raise KeyboardInterrupt

    def batch(self, schema: pyarrow.Schema) -> Optional[pyarrow.RecordBatch]:
        """The next batch; None at the end."""
        import pyarrow

        memory = _library.Array()
        address = ctypes.addressof(memory)
        if self._call(_library.library.streammap_feed_next, address) == 0:
            return None
        return pyarrow.RecordBatch._import_from_c(address, schema)

    def piece(self) -> Optional[bytes]:
        """The next piece of the output as lines of JSON, cut anywhere; None at the end."""
        buffer = ctypes.create_string_buffer(_READ)
        count = self._call(_library.library.streammap_feed_read, ctypes.addressof(buffer), _READ)
        return ctypes.string_at(buffer, count) if count > 0 else None

    def _counted(self) -> Counts:
        return Counts.of(_library.library.streammap_feed_counts(self._handle))

    @property
    def _is_here(self) -> bool:
        """A fork has a copy of the memory, and not the threads: it leaves the feed and its lock as they are."""
        return os.getpid() == self._process

    def close(self) -> None:
        """Ends the feed; one that is being read ends with the call that is under way."""
        if not self._is_here:
            return
        with self._state:
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
            self._end_reading()

    def _end_reading(self) -> None:
        close, self._opened.close = self._opened.close, None
        if close is not None:
            close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None and self._is_here:
            self._release()


@atexit.register
def _close_all() -> None:
    # While the interpreter can still be called.
    for feed in list(_open):
        feed.close()
