"""Where feeds are: each reading opens its place again, if it can be."""

from __future__ import annotations

import builtins
import dataclasses
import glob
import os
import stat
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterable, Iterator, List, NoReturn, Optional, Union

from ._errors import FeedReadError, Problem, unreadable

if TYPE_CHECKING:
    import datetime

_INDEX = ".smx"

FeedSource = Union[
    str, "os.PathLike[Any]", bytes, bytearray, memoryview, BinaryIO, Iterator[bytes], Callable[[], Any]
]  # fmt: skip
"""One feed, or the pattern or folder of several: see `streammap.open`."""

Sources = Union[FeedSource, Iterable[FeedSource]]
"""A list is of feeds; anything else that is iterated over gives the bytes of one."""


@dataclasses.dataclass
class Opened:
    """What is read: the path of a file, bytes, or what gives bytes."""

    content: Any
    name: Optional[str] = None
    is_path: bool = False
    close: Optional[Callable[[], Any]] = None
    """Ends it; None if nothing has to be ended here."""


class Place:
    """A feed that is not open; its name, where it has one."""

    name: Any = None

    def open(self) -> Opened:
        raise NotImplementedError

    def size(self) -> int:
        """How many bytes it has, as far as that is known without reading it."""
        return 0

    def modified(self) -> datetime.datetime:
        """When it was changed.

        Raises `ValueError` where that is not known.
        """
        raise ValueError(f"nothing says when {self.name} was changed")


class File(Place):
    """A file of this machine."""

    def __init__(self, path: Any) -> None:
        self.path = path
        self.name: str = os.fsdecode(path)

    def __repr__(self) -> str:
        return repr(self.name)

    def open(self) -> Opened:
        try:
            is_plain = stat.S_ISREG(os.stat(self.path).st_mode) and self.name.isprintable()
            # Python reads what may wait (a pipe), and what has a name that is not a text.
            if is_plain or os.path.isdir(self.path):
                return Opened(self.path, self.name, is_path=True)
        except OSError as error:
            raise self._unreadable(error) from None
        file = self.file()
        return Opened(file, _shown(self.name), close=file.close)

    def size(self) -> int:
        try:
            return os.path.getsize(self.path)
        except OSError as error:
            raise self._unreadable(error) from None

    def modified(self) -> datetime.datetime:
        import datetime

        try:
            return datetime.datetime.fromtimestamp(os.path.getmtime(self.path), datetime.timezone.utc)
        except OSError as error:
            raise self._unreadable(error) from None

    def file(self) -> Any:
        """The file, which Python reads."""
        try:
            return builtins.open(self.path, "rb", buffering=0)
        except OSError as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: OSError) -> FeedReadError:
        problem = Problem("io", f"cannot open {self.name}: {error.strerror}", feed=self.name)
        return unreadable(self.path, problem, error)


class Memory(Place):
    """Bytes."""

    def __init__(self, content: Any) -> None:
        self.content = bytes(content)

    def __repr__(self) -> str:
        return f"<{len(self.content)} bytes>"

    def open(self) -> Opened:
        return Opened(self.content)


class Remote(Place):
    """A file of a file system of fsspec's."""

    def __init__(self, system: Any, path: str, name: str) -> None:
        self._system, self.path = system, path
        self.name = name

    def __repr__(self) -> str:
        return repr(self.name)

    def open(self) -> Opened:
        file = self.file()
        return Opened(file, self.name, close=file.close)

    def file(self) -> Any:
        """The file, open."""
        try:
            return self._here().open(self.path, "rb")
        except OSError as error:
            raise _missing(self.name, error) from error

    def range(self, offset: int, size: int) -> bytes:
        """Some of its bytes, as far as it has them."""
        content: bytes = self._here().cat_file(self.path, start=offset, end=offset + size)
        return content

    def _here(self) -> Any:
        """Its file system as it was made: in a forked process it is another one, since its connections are the parent's."""
        return type(self._system)(*self._system.storage_args, **self._system.storage_options)

    def size(self) -> int:
        try:
            return int(self._system.size(self.path) or 0)
        except OSError as error:
            raise _missing(self.name, error) from error

    def known_size(self) -> int:
        """Its size, which its parts depend on.

        Raises `FeedReadError` where nothing tells it.
        """
        system = self._here()
        try:
            # What was listed earlier may have changed.
            system.invalidate_cache(self.path)
            size = system.size(self.path)
        except OSError as error:
            raise _missing(self.name, error) from error
        if size is None:
            raise FeedReadError(Problem("io", f"cannot cut {self.name}: nothing tells how large it is", feed=self.name))
        return int(size)

    def modified(self) -> datetime.datetime:
        import datetime

        try:
            time: datetime.datetime = self._system.modified(self.path)
        except NotImplementedError:
            return super().modified()
        except OSError as error:
            raise _missing(self.name, error) from error
        # Times without a zone are UTC.
        return time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)


class Call(Place):
    """A function that opens the feed."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function

    def __repr__(self) -> str:
        return getattr(self._function, "__qualname__", repr(self._function))

    def open(self) -> Opened:
        content = self._function()
        if isinstance(content, (str, os.PathLike)):
            return File(content).open()
        if isinstance(content, (bytes, bytearray, memoryview)):
            return Opened(bytes(content))
        return Opened(content, _name(content), close=getattr(content, "close", None))


class Given(Place):
    """A file that is open, or an iterator: whose it is, who gave it closes it.

    A file that can be rewound is read again from where it was; anything else is read once.
    """

    def __init__(self, content: Any) -> None:
        self._content = content
        self._lock = threading.Lock()
        self._is_begun = False
        self._start: Optional[int] = None
        # A mapped file says of itself that it can be rewound only since Python 3.13.
        if hasattr(content, "tell") and getattr(content, "seekable", lambda: True)():
            self._start = content.tell()
        self.name = _name(content)

    def __repr__(self) -> str:
        return f"<{type(self._content).__name__}>" if self.name is None else f"<{type(self._content).__name__} {self.name!r}>"

    def open(self) -> Opened:
        with self._lock:
            if self._is_begun:
                if self._start is None:
                    raise ValueError(
                        f"a {type(self._content).__name__} can be read once: for more, give a path, bytes, or a function that opens it"
                    )
                self._content.seek(self._start)
            self._is_begun = True
        return Opened(self._content, self.name)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a source of a {type(self._content).__name__} cannot be pickled: give a path, bytes, or a function that opens it"
        )


def _name(content: Any) -> Optional[str]:
    name = getattr(content, "name", None)
    return _shown(os.fsdecode(name)) if isinstance(name, (str, bytes, os.PathLike)) else None


def _shown(name: str) -> str:
    """A name as the library takes it: of text, without zero bytes."""
    if "\0" in name:
        raise ValueError(f"embedded null byte: {name!r}")
    return name.encode("utf-8", "replace").decode()


def _missing(name: str, error: OSError) -> FeedReadError:
    is_missing = isinstance(error, FileNotFoundError)
    reason = "there is no such file" if is_missing else error.strerror or str(error)
    return unreadable(name, Problem("io", f"cannot open {name}: {reason}", feed=name), error)


# --- All feeds of a source.


def places(source: Any, storage_options: Optional[dict[str, Any]] = None) -> List[Place]:
    """The feeds of a source, in their order.

    Raises `FeedNotFoundError` where there is none.
    """
    found = list(_places(source, storage_options or {}))
    if storage_options and not any(isinstance(place, Remote) for place in found):
        raise ValueError("storage_options are for addresses such as s3://bucket/feed.ndjson")
    return found


def is_address(path: Any) -> bool:
    """Whether fsspec reads it."""
    return isinstance(path, str) and "://" in path and not path.startswith("file://")


def _places(source: Any, options: dict[str, Any]) -> Iterator[Place]:
    if isinstance(source, (list, tuple)):
        for one in source:
            yield from _places(one, options)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield Memory(source)
    elif isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if is_address(path):
            yield from _remote(path, options)
        else:
            yield from map(File, files(path))
    elif hasattr(source, "read") or hasattr(source, "__iter__"):
        yield Given(source)
    elif hasattr(source, "__arrow_c_array__") or hasattr(source, "__buffer__") or hasattr(source, "to_pybytes"):
        yield Memory(memoryview(source))
    elif callable(source):
        yield Call(source)
    else:
        raise TypeError(
            f"a source is a path, an address, bytes, a file that is open, an iterator of bytes, a function that opens one of these, "
            f"or a list of them, not {type(source).__name__}"
        )


def files(path: Any) -> Iterator[Any]:
    """The files at a path, a `file:` address, of a folder, or of a pattern."""
    if isinstance(path, str) and path.startswith("file://"):
        import urllib.parse

        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"embedded null byte: {text!r}")
    if os.path.isdir(path):
        found = list(_folder(text))
        if not found:
            raise unreadable(path, Problem("io", f"there is no feed in the folder {text}", feed=text), FileNotFoundError(2, ""))
        yield from found
    elif os.path.lexists(path) or not glob.has_magic(text):
        if not os.path.exists(path):
            raise unreadable(path, Problem("io", f"cannot open {text}: No such file or directory", feed=text))
        yield path
    else:
        matching = sorted(name for name in glob.glob(text, recursive=True) if not name.endswith(_INDEX))
        if not matching:
            raise unreadable(path, Problem("io", f"there is no feed {text}", feed=text), FileNotFoundError(2, ""))
        for name in matching:
            yield from _folder(name) if os.path.isdir(name) else [name]


def is_feed(name: str) -> bool:
    """Whether a file of a folder is a feed: as for Spark, hidden files are none; and an index is none."""
    return name[:1] not in (".", "_") and not name.endswith(_INDEX)


def _folder(path: str) -> Iterator[str]:
    found: List[str] = []
    for folder, folders, names in os.walk(path):
        folders[:] = (name for name in folders if name[:1] not in (".", "_"))
        found += (os.path.join(folder, name) for name in filter(is_feed, names))
    return iter(sorted(found))


def _remote(address: str, options: dict[str, Any]) -> Iterator[Place]:
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{address}: addresses are read by fsspec, which is not installed: pip install fsspec") from None
    try:
        system, path = fsspec.core.url_to_fs(address, **options)
        # What it listed earlier may have changed.
        system.invalidate_cache()
        if glob.has_magic(path):
            found = []
            for name in sorted(system.glob(path)):
                if system.isdir(name):
                    found += _remote_folder(system, name)
                elif not name.endswith(_INDEX):
                    found.append(name)
        elif system.isdir(path):
            found = _remote_folder(system, path)
        else:
            found = [path] if system.exists(path) else []
    except OSError as error:
        raise _missing(address, error) from error
    if not found:
        raise _missing(address, FileNotFoundError(2, "there is no such feed"))
    for name in found:
        # The name of a file in an archive, or in a cache, says nothing of where that is.
        yield Remote(system, name, address if name == path or "::" in address else system.unstrip_protocol(name))


def _remote_folder(system: Any, path: str) -> List[str]:
    start = path.rstrip("/") + "/"
    return [name for name in sorted(system.find(path)) if all(map(is_feed, name[len(start) :].split("/")))]
