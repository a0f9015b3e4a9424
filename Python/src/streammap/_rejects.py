"""Records that cannot be mapped: as lines of a file, and as columns."""

from __future__ import annotations

import functools
import json
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional

from ._errors import Problem

if TYPE_CHECKING:
    import pyarrow

_PLACE = ("offset", "end", "line", "column")
_ROWS = 1000


@functools.lru_cache(maxsize=None)
def schema() -> pyarrow.Schema:
    """The columns of `Source.rejects()`, a row for each record: where the record is, its errors, and its text."""
    import pyarrow

    place = [pyarrow.field(name, pyarrow.int64()) for name in _PLACE]
    code, message = (pyarrow.field(name, pyarrow.string(), nullable=False) for name in ("code", "message"))
    error = pyarrow.struct([code, message, pyarrow.field("path", pyarrow.string()), *place])
    errors = pyarrow.field("errors", pyarrow.list_(pyarrow.field("item", error, nullable=False)), nullable=False)
    feed, raw = (pyarrow.field(name, pyarrow.string()) for name in ("feed", "raw"))
    return pyarrow.schema([feed, pyarrow.field("record", pyarrow.int64()), *place, errors, raw])


def batches(problems: Iterator[Problem]) -> Iterator[pyarrow.RecordBatch]:
    """Rejects as columns."""
    import pyarrow

    rows: List[dict[str, Any]] = []
    for problem in problems:
        place = {name: problem.details.get(name) for name in _PLACE}
        errors = [{name: getattr(error, name) for name in ("code", "message", "path", *_PLACE)} for error in problem.errors]
        rows.append({"feed": problem.feed, "record": problem.record, **place, "errors": errors, "raw": problem.raw})
        if len(rows) == _ROWS:
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema())
            rows = []
    if rows:
        yield pyarrow.RecordBatch.from_pylist(rows, schema=schema())


def problems(read: Callable[[Callable[[Any], None]], Iterator[Any]]) -> Iterator[Any]:
    """What is given to `on_reject` while something is read, one by one: the thread that reads waits until they are taken.

    `read` begins to read, with an `on_reject`; what it gives is not looked at. It may put other things among the problems.
    """
    import queue

    taken: queue.Queue[Any] = queue.Queue(maxsize=_ROWS)
    over = threading.Event()

    def put(item: Any) -> None:
        while not over.is_set():
            try:
                return taken.put(item, timeout=0.1)
            except queue.Full:
                continue
        raise _Over

    def run() -> None:
        try:
            for _ in read(put):
                if over.is_set():
                    return
            put(None)
        except _Over:
            pass
        except BaseException as error:
            try:
                put(error)
            except _Over:
                pass

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while (item := taken.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        over.set()
        thread.join()


class _Over(Exception):
    """No one takes rejects any more."""


class Lines:
    """A file of rejects, a JSON object a line, in the form of the command's: under its own name once the reading ends, however it ends."""

    def __init__(self, path: Any) -> None:
        self._path = os.fsdecode(path)
        folder, name = os.path.split(self._path)
        self._draft = os.path.join(folder, f".{name}.{os.getpid()}.{id(self):x}")
        self._file: Optional[Any] = open(self._draft, "w", encoding="utf-8")

    def write(self, problem: Problem) -> None:
        if self._file is not None:
            self._file.write(json.dumps(problem.details, ensure_ascii=False) + "\n")

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()
            os.replace(self._draft, self._path)
