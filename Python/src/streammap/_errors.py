"""What goes wrong, and where."""

from __future__ import annotations

import ctypes
import dataclasses
import errno
import json
import os
from typing import Any, Optional

from . import _library


@dataclasses.dataclass(frozen=True)
class Problem:
    """An error of a feed, with its address: also what `on_reject` is given for each record that cannot be mapped.

    If a record has several errors, code, path and address are those of the first one; `errors` has all of them.
    """

    code: str
    """What kind of error it is: `wrongType`, `missing`, `syntax`, `truncated`, `limitExceeded`, `unseenPath`, `io` …"""
    message: str
    """What a person reads, with the address."""
    path: Optional[str] = None
    """The path in the feed, such as `$.lines[2].price`."""
    record: Optional[int] = None
    """The record's number, from 1."""
    offset: Optional[int] = None
    """The first byte of the feed that it is about, from 0."""
    end: Optional[int] = None
    """The byte after the last one."""
    line: Optional[int] = None
    """From 1."""
    column: Optional[int] = None
    """From 1, in bytes."""
    details: Any = None
    """All of it, as the command `stream-map` writes rejects (`Schemas/reject.schema.json`); of a mapping, its mistakes."""
    feed: Optional[str] = None
    """The name of the feed: its path or address, where it has one."""

    @property
    def raw(self) -> Optional[str]:
        """The record's own text, where the option `raw` (or `rejects`) asks for it, and it has 64 KiB at most."""
        return self.details.get("raw") if isinstance(self.details, dict) else None

    @property
    def span(self) -> Optional[tuple[int, int]]:
        """Where the whole record is in the feed: its first byte, and the byte after its last one."""
        if not isinstance(self.details, dict) or "offset" not in self.details:
            return None
        return self.details["offset"], self.details["end"]

    @property
    def errors(self) -> list["Problem"]:
        """The errors of the record, one by one, each with its own code, message, path and address."""
        if not isinstance(self.details, dict) or "errors" not in self.details:
            return [self]
        names = ("code", "message", "path", "offset", "end", "line", "column")
        return [
            Problem(record=self.record, feed=self.feed, details=error, **{name: error.get(name) for name in names})
            for error in self.details["errors"]
        ] or [self]

    @classmethod
    def of(cls, memory: _library.ErrorMemory) -> "Problem":
        def text(value: Optional[bytes]) -> Optional[str]:
            return None if value is None else value.decode("utf-8", "replace")

        details = json.loads(memory.json or b"null")
        return cls(
            code=text(memory.code) or "",
            message=text(memory.message) or "",
            path=text(memory.path),
            record=memory.record or None,
            offset=memory.offset if memory.offset >= 0 else None,
            end=memory.end if memory.end >= 0 else None,
            line=memory.line or None,
            column=memory.column or None,
            feed=details.get("file") if isinstance(details, dict) else None,
            details=details,
        )


class StreamMapError(Exception):
    """Anything that StreamMap finds wrong; `problem` says where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        feed, message = self.problem.feed, self.problem.message
        return message if feed is None or feed in message else f"{feed}: {message}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem,), self.__dict__

    @property
    def code(self) -> str:
        return self.problem.code

    @property
    def record(self) -> Optional[int]:
        return self.problem.record

    @property
    def path(self) -> Optional[str]:
        return self.problem.path

    @property
    def line(self) -> Optional[int]:
        return self.problem.line

    @property
    def column(self) -> Optional[int]:
        return self.problem.column

    @property
    def offset(self) -> Optional[int]:
        return self.problem.offset


class MappingError(StreamMapError, ValueError):
    """A mapping or its options are wrong; `mistakes` has all that is wrong with the mapping."""

    @property
    def mistakes(self) -> list[dict[str, Any]]:
        details = self.problem.details
        return details if isinstance(details, list) else [details]


class FeedError(StreamMapError):
    """A feed cannot be read or mapped any further."""


class FeedReadError(FeedError, OSError):
    """The bytes of a feed cannot be read (`io`): an `OSError`, too."""

    def __reduce__(self) -> tuple[Any, ...]:
        system = {name: getattr(self, name) for name in ("errno", "strerror", "filename")}
        return type(self), (self.problem,), {**self.__dict__, **system}


class FeedNotFoundError(FeedReadError, FileNotFoundError):
    """There is no feed at a path: a `FileNotFoundError`, too."""


class UnfoundWarning(UserWarning):
    """A field of a mapping found nothing in any record of a feed: it is probably misspelt."""


def _raised(problem: Problem) -> StreamMapError:
    kinds: dict[str, type[StreamMapError]] = {"mapping": MappingError, "io": FeedReadError}
    return kinds.get(problem.code, FeedError)(problem)


def call(function: Any, *arguments: Any, failed: Any) -> Any:
    """Calls a function of the library; raises what it reports."""
    error = ctypes.POINTER(_library.ErrorMemory)()
    result = function(*arguments, ctypes.byref(error))
    if result != failed:
        return result
    problem = Problem.of(error.contents) if error else Problem("io", "it failed")
    if error:
        _library.library.streammap_error_free(error)
    raise _raised(problem)


def unreadable(path: Any, problem: Problem, error: Optional[OSError] = None) -> FeedReadError:
    """The error of a feed at a path that cannot be read."""
    is_missing = isinstance(error, FileNotFoundError) if error is not None else not os.path.exists(path)
    found = (FeedNotFoundError if is_missing else FeedReadError)(problem)
    code = errno.ENOENT if is_missing else error.errno if error is not None else None
    if code is not None:
        found.errno, found.strerror = code, os.strerror(code)
    found.filename = os.fspath(path)
    return found


def call_with_path(function: Any, mapping: Any, path: Any, *arguments: Any) -> Any:
    """Calls a function that opens the feed at a path."""
    try:
        return call(function, mapping, _library.path(path), *arguments, failed=None)
    except FeedReadError as error:
        problem = error.problem
    raise unreadable(path, problem)
