"""Mappings: what becomes of records."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Iterable, Literal, Mapping as Dictionary, Optional, Union

import pyarrow

from . import _library
from ._errors import MappingError, Problem, call

MappingSource = Union["Mapping", str, "os.PathLike[str]", Dictionary[str, Any]]


class Mapping:
    """A compiled mapping: make one and keep it, any number of feeds and threads may share it.

    `source` is a mapping file's path (any `os.PathLike`, or a text of one line that does not begin with a brace), its text
    (YAML or JSON; several lines, or in braces), or the same as a dictionary.

    - `arguments`: the values of the mapping's `args`.
    - `format`: how records follow each other (`auto`, `json`, `ndjson`, `concat`, `seq`).
    - `records`: where the records are in each document, as `["$.items[*]"]`.
    - `errors`: `fail` (the first record that cannot be mapped ends the feed), `skip` or `reject`.
    - `jobs`: how many threads map.
    - `batch_rows`, `batch_bytes`: when a batch is full.
    - `decimal_scale`: digits after the point of decimals (10); None makes them texts.
    - `unseen_paths`: what it is that one of `records` does not occur in a whole feed: `fail` (an error at its end) or `ignore`.
    - `binary`: names of text columns that are base64, which become bytes.
    - `limits`: what a feed may demand, as in mapping files, such as `{"string": 1 << 20}`.

    Without these, the mapping file says, or the defaults hold. Raises `MappingError` with all mistakes.

    It never changes: a copy is the mapping itself. It may be pickled, by its source and its options. A mapping file is read
    again where it is unpickled: it, and the files that it uses, have to be there with the same bytes, or it is a `MappingError`.
    """

    def __init__(
        self,
        source: MappingSource,
        *,
        arguments: Optional[Dictionary[str, str]] = None,
        format: Optional[str] = None,
        records: Union[None, str, Iterable[str]] = None,
        unseen_paths: Optional[str] = None,
        errors: Optional[str] = None,
        jobs: Optional[int] = None,
        batch_rows: Optional[int] = None,
        batch_bytes: Optional[int] = None,
        decimal_scale: Union[int, None, Literal["default"]] = "default",
        binary: Optional[Iterable[str]] = None,
        limits: Optional[Dictionary[str, int]] = None,
    ) -> None:
        self._handle: Optional[int] = None
        self._files: tuple[str, ...] = ()
        self._digest = ""
        options: dict[str, Any] = {
            "arguments": dict(arguments) if arguments is not None else None,
            "format": format,
            "records": [records] if isinstance(records, str) else list(records) if records is not None else None,
            "unseen_paths": unseen_paths,
            "errors": errors,
            "jobs": jobs,
            "batch_rows": batch_rows,
            "batch_bytes": batch_bytes,
            "binary": list(binary) if binary is not None else None,
            "limits": dict(limits) if limits is not None else None,
        }
        options = {name: value for name, value in options.items() if value is not None}
        if decimal_scale != "default":
            options["decimal_scale"] = decimal_scale
        if isinstance(source, Dictionary):
            source = json.dumps(source)
        if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            self._open(source, False, json.dumps(options))
        elif isinstance(source, (str, os.PathLike)):
            self._open(os.fspath(source), True, json.dumps(options))
        else:
            raise TypeError(f"a mapping is a path, a text or a dictionary, not {type(source).__name__}")

    def _open(self, source: Union[str, bytes], is_path: bool, options: str) -> None:
        functions, encoded = _library.library, options.encode()
        if is_path:
            handle = call(functions.streammap_mapping_open_file, _library.path(source), encoded, failed=None)
        else:
            text = source.encode() if isinstance(source, str) else source
            handle = call(functions.streammap_mapping_open, text, len(text), encoded, failed=None)
        self._handle = handle
        self._source, self._is_path, self._options = source, is_path, options
        made_of = json.loads(_library.taken(call(functions.streammap_mapping_files, handle, failed=None)))
        self._files, self._digest = tuple(made_of["files"]), made_of["digest"]

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle is not None:
            _library.library.streammap_mapping_close(handle)

    def __copy__(self) -> "Mapping":
        return self

    def __deepcopy__(self, memo: Any) -> "Mapping":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        source = os.path.abspath(self._source) if self._is_path else self._source
        return _unpickled, (source, self._is_path, self._options, self._digest)

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the files that it was made of: the mapping file, and those that it uses (`use`, `lookup`)."""
        return self._files

    @property
    def digest(self) -> str:
        """A text that changes when the bytes of the mapping, or of a file that it uses, do. Options are not in it."""
        return self._digest

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of the columns."""
        memory = _library.Schema()
        address = ctypes.addressof(memory)
        call(_library.library.streammap_mapping_schema, self._handle, address, failed=-1)
        return pyarrow.Schema._import_from_c(address)


def _unpickled(source: Union[str, bytes], is_path: bool, options: str, digest: str) -> Mapping:
    mapping = Mapping.__new__(Mapping)
    mapping._handle = None
    mapping._open(source, is_path, options)
    if mapping.digest != digest:
        name = os.fsdecode(source)
        raise MappingError(Problem("mapping", f"{name}, or a file that it uses, has changed since the mapping was pickled"))
    return mapping


def compiled(source: MappingSource, options: dict[str, Any]) -> Mapping:
    """A mapping that may be compiled already."""
    if not isinstance(source, Mapping):
        return Mapping(source, **options)
    if options:
        raise TypeError("a Mapping has its options already")
    return source


def check(source: MappingSource, **options: Any) -> list[dict[str, Any]]:
    """All mistakes of a mapping, each with `line`, `column` and `message`; none if it is right.

    >>> streammap.check("streammap: 1\\nrecord: { id: { from: id, tpye: int64 } }")[0]["suggestion"]
    'type'
    """
    try:
        Mapping(source, **options)
    except MappingError as error:
        return error.mistakes
    return []
