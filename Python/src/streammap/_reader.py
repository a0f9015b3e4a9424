"""Feeds that are read, one after the other."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, NoReturn, Optional

from ._blob import opened_part
from ._dictionaries import Dictionaries
from ._errors import Problem, UnfoundWarning
from ._feed import Counts, Feed, Summary
from ._mapping import Mapping
from ._parts import Part
from ._places import File, Place, Remote
from ._rejects import Lines

if TYPE_CHECKING:
    import pyarrow


@dataclasses.dataclass
class Run:
    """What is read, and how."""

    places: List[Place]
    mapping: Mapping
    part: Optional[Part] = None
    on_reject: Optional[Callable[[Problem], Any]] = None
    on_progress: Optional[Callable[[Summary], Any]] = None
    rejects: Any = None
    columns: Optional[List[str]] = None

    @property
    def schema(self) -> pyarrow.Schema:
        import pyarrow

        schema = self.mapping.schema
        return schema if self.columns is None else pyarrow.schema([schema.field(name) for name in self.columns])


class Reader:
    """The record batches of a source, one after the other: a stream of Arrow.

    It has the methods of `pyarrow.RecordBatchReader`, and it is taken wherever a stream of Arrow is (`__arrow_c_stream__`). It is
    read once, by one thread at a time, in the process that made it; what reads more than once takes the source itself. Once it is
    closed, taking a batch is a `ValueError`. A feed is opened when its first batch is taken, and closed at its end.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._mapped = run.mapping._plain_schema
        self._schema = run.schema
        self._dictionaries = Dictionaries(self._schema)
        self._process = os.getpid()
        # Whether a call is under way.
        self._taking = threading.Lock()
        self._is_closed = self._is_over = False
        self._next = 0
        self._feed: Optional[Feed] = None
        self._lines: Optional[Lines] = None
        # What was read of the feeds before this one.
        self._before = Summary()
        self._unfound: Optional[List[str]] = None

    def __repr__(self) -> str:
        feeds = ", ".join(map(repr, self._run.places[:3])) + (", ..." if len(self._run.places) > 3 else "")
        state = "closed" if self._is_closed else "over" if self._is_over else "open" if self._next else "not begun"
        return f"<streammap.Reader of {feeds}: {state}, {self.summary.records} records>"

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of all batches."""
        return self._schema

    @property
    def summary(self) -> Summary:
        """How many records were mapped, rejected and dropped so far, how many bytes were read, and what was not found."""
        return self._with(self._feed.counts) if self._feed is not None else self._before

    def _with(self, counts: Counts) -> Summary:
        before = self._before
        return dataclasses.replace(
            before, mapped=before.mapped + counts.mapped, rejected=before.rejected + counts.rejected,
            dropped=before.dropped + counts.dropped, bytes=before.bytes + counts.bytes, feeds=self._next,
        )  # fmt: skip

    # --- What is read.

    def _opened(self) -> Optional[Feed]:
        """The feed that is read, or the next one; None after the last one."""
        if self._feed is None and self._next < len(self._run.places):
            run, place = self._run, self._run.places[self._next]
            if run.rejects is not None and self._lines is None:
                self._lines = Lines(run.rejects)
            self._next += 1
            on_reject = None if run.on_reject is None and run.rejects is None else self._reject
            opened = opened_part(place) if run.part is not None and isinstance(place, (File, Remote)) else place.open()
            self._feed = Feed(opened, run.mapping, run.part, on_reject, self._progress)
        return self._feed

    def _reject(self, problem: Problem) -> None:
        if self._lines is not None:
            self._lines.write(problem)
        if self._run.on_reject is not None:
            self._run.on_reject(problem)

    def _progress(self, counts: Counts) -> None:
        if self._run.on_progress is not None:
            self._run.on_progress(self._with(counts))

    def _take(self, take: Callable[[Feed], Any]) -> Any:
        """What is taken of the feeds; None at the end."""
        if os.getpid() != self._process:
            raise RuntimeError("the feed was opened by the process that forked this one: open it again here")
        if not self._taking.acquire(blocking=False):
            raise ValueError("the feed is being read: one thread at a time may use it")
        try:
            if self._is_closed:
                raise ValueError("the feed is closed")
            while not self._is_over and (feed := self._opened()) is not None:
                taken = take(feed)
                if taken is not None:
                    return taken
                self._pass(feed)
            if not self._is_over:
                self._end()
            return None
        except BaseException:
            # What comes after an error is nothing.
            if not self._is_closed:
                self._is_over = True
                self._drop()
            raise
        finally:
            self._taking.release()
            if self._is_closed:
                self._drop()

    def _pass(self, feed: Feed) -> None:
        """Advances to the next feed."""
        self._before = self._with(feed.counts)
        # What one feed has is not missing.
        self._unfound = feed.notes if self._unfound is None else [note for note in self._unfound if note in feed.notes]
        self._feed = None
        feed.close()

    def _end(self) -> None:
        self._is_over = True
        unfound = tuple(self._unfound or ())
        self._before = dataclasses.replace(self._before, unfound=unfound, is_complete=True)
        self._drop()
        if unfound:
            warnings.warn("\n".join(unfound), UnfoundWarning, stacklevel=_depth())

    def _drop(self) -> None:
        feed, self._feed = self._feed, None
        if feed is not None:
            self._before = self._with(feed.counts)
            feed.close()
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.close()

    def read_next_batch(self) -> pyarrow.RecordBatch:
        """The next batch; raises `StopIteration` at the end."""
        batch = self._take(lambda feed: feed.batch(self._mapped))
        if batch is None:
            raise StopIteration
        return self._dictionaries.encoded(batch if self._run.columns is None else batch.select(self._run.columns))

    def read_piece(self) -> bytes:
        """Instead of batches: the next piece of the output records as lines of JSON, cut anywhere; empty at the end."""
        if self._run.columns is not None:
            raise ValueError("lines of JSON have all columns: take batches, or leave fields out of the mapping")
        return self._take(Feed.piece) or b""

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        return self.read_next_batch()

    def read_all(self) -> pyarrow.Table:
        """All batches to come, as a table."""
        import pyarrow

        return pyarrow.Table.from_batches(self, self._schema)

    def __arrow_c_schema__(self) -> Any:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        import pyarrow

        return pyarrow.RecordBatchReader.from_batches(self._schema, self).__arrow_c_stream__(requested_schema)

    def close(self) -> None:
        """Ends the reading, wherever it is; to close it again does nothing."""
        if os.getpid() != self._process:
            return
        self._is_closed = True
        feed = self._feed
        if feed is not None:
            feed.close()
        # A call that is under way ends what is left.
        if self._taking.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._taking.release()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_lines", None) is not None:
            self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a reader cannot be pickled: pickle the source, and make a reader where it is read")


def _depth() -> int:
    """How far up the first caller outside of this package is."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("streammap."):
        depth, frame = depth + 1, frame.f_back
    return depth
