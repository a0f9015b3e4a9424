"""The C library, by ctypes: the functions of `streammap.h`."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any, Union

_NAMES = {"darwin": "libstreammap.dylib"}


def _path() -> str:
    """The library's path: STREAMMAP_LIBRARY, else the one that came with the package."""
    given = os.environ.get("STREAMMAP_LIBRARY")
    if given:
        return given
    name = _NAMES.get(sys.platform, "libstreammap.so")
    path = os.path.join(os.path.dirname(__file__), "lib", name)
    if not os.path.exists(path):
        raise ImportError(f"{path} is missing: install a wheel (scripts/package python), or set STREAMMAP_LIBRARY")
    return path


class ErrorMemory(ctypes.Structure):
    """`streammap_error`."""

    _fields_ = [
        ("code", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
        ("path", ctypes.c_char_p),
        ("record", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("end", ctypes.c_int64),
        ("line", ctypes.c_int64),
        ("column", ctypes.c_int64),
        ("json", ctypes.c_char_p),
    ]


class Piece(ctypes.Structure):
    """`streammap_piece`."""

    _fields_ = [("bytes", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Range(ctypes.Structure):
    """`streammap_range`."""

    _fields_ = [("context", ctypes.c_void_p), ("offset", ctypes.c_int64), ("buffer", ctypes.c_void_p), ("size", ctypes.c_size_t)]


ReadRange = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.POINTER(Range))


class Blob(ctypes.Structure):
    """`streammap_blob`."""

    _fields_ = [("read", ReadRange), ("context", ctypes.c_void_p), ("size", ctypes.c_int64), ("name", ctypes.c_char_p)]


class Counts(ctypes.Structure):
    """`streammap_counts`."""

    _fields_ = [(name, ctypes.c_int64) for name in ("mapped", "rejected", "dropped", "bytes")]


def text(given: Union[str, bytes]) -> bytes:
    """A text for the library, which reads it up to the first zero byte: so there is none."""
    encoded = given.encode() if isinstance(given, str) else given
    if b"\0" in encoded:
        raise ValueError(f"embedded null byte: {given!r}")
    return encoded


def path(given: Union[str, bytes, "os.PathLike[Any]"]) -> bytes:
    """The path of a file for the library."""
    return text(os.fsencode(given))


def taken(text: int) -> str:
    """A text of the library's, which is freed."""
    try:
        return ctypes.string_at(text).decode()
    finally:
        library.streammap_text_free(text)


ErrorPlace = ctypes.POINTER(ctypes.POINTER(ErrorMemory))
Read = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
Reject = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ErrorMemory))
Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
# Memory for an ArrowArray and an ArrowSchema, which are ten and nine words.
Array = ctypes.c_void_p * 10
Schema = ctypes.c_void_p * 9

_pointer, _text, _size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_blob = ctypes.POINTER(Blob)
_FUNCTIONS: list[tuple[str, Any, list[Any]]] = [
    ("version", _text, []),
    ("error_free", None, [ctypes.POINTER(ErrorMemory)]),
    ("mapping_open", _pointer, [_text, _size, _text, ErrorPlace]),
    ("mapping_open_file", _pointer, [_text, _text, ErrorPlace]),
    ("mapping_close", None, [_pointer]),
    ("mapping_files", _pointer, [_pointer, ErrorPlace]),
    ("mapping_schema", ctypes.c_int, [_pointer, _pointer, ErrorPlace]),
    ("feed_open_file", _pointer, [_pointer, _text, ErrorPlace]),
    ("feed_open_memory", _pointer, [_pointer, _pointer, _size, _text, ErrorPlace]),
    ("feed_open_callback", _pointer, [_pointer, Read, _pointer, _text, ErrorPlace]),
    ("feed_open_part", _pointer, [_pointer, _text, _text, ErrorPlace]),
    ("index", _pointer, [_pointer, _text, ctypes.c_int64, ErrorPlace]),
    ("parts", _pointer, [_pointer, _text, ctypes.c_int64, _text, ErrorPlace]),
    ("feed_open_part_blob", _pointer, [_pointer, _blob, _text, ErrorPlace]),
    ("index_blob", _pointer, [_pointer, _blob, ctypes.c_int64, ErrorPlace]),
    ("parts_blob", _pointer, [_pointer, _blob, ctypes.c_int64, _text, ErrorPlace]),
    ("infer", _pointer, [Read, _pointer, _text, _text, ErrorPlace]),
    ("text_free", None, [_pointer]),
    ("feed_close", None, [_pointer]),
    ("feed_on_reject", None, [_pointer, Reject, _pointer]),
    ("feed_on_progress", None, [_pointer, Progress, _pointer]),
    ("feed_next", ctypes.c_int, [_pointer, _pointer, ErrorPlace]),
    ("feed_read", ctypes.c_int64, [_pointer, _pointer, _size, ErrorPlace]),
    ("feed_counts", Counts, [_pointer]),
    ("feed_notes", _pointer, [_pointer, ErrorPlace]),
]


def _load() -> ctypes.CDLL:
    loaded = ctypes.CDLL(_PATH)
    for name, result, arguments in _FUNCTIONS:
        function = getattr(loaded, "streammap_" + name)
        function.restype, function.argtypes = result, arguments
    return loaded


_PATH = _path()

if TYPE_CHECKING:
    library: ctypes.CDLL
else:

    def __getattr__(name: str) -> Any:
        # It is loaded when the first function is called for: to import the package takes less time.
        if name == "library":
            return globals().setdefault("library", _load())
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
