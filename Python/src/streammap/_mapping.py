"""Mappings: what becomes of records."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Iterable, Literal, Mapping as Dictionary, Optional, Union

import pyarrow

from . import _library
from ._errors import MappingError, call

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
    - `binary`: names of text columns that are base64, which become bytes.
    - `limits`: what a feed may demand, as in mapping files, such as `{"string": 1 << 20}`.

    Without these, the mapping file says, or the defaults hold. Raises `MappingError` with all mistakes.
    """

    def __init__(
        self,
        source: MappingSource,
        *,
        arguments: Optional[Dictionary[str, str]] = None,
        format: Optional[str] = None,
        records: Union[None, str, Iterable[str]] = None,
        errors: Optional[str] = None,
        jobs: Optional[int] = None,
        batch_rows: Optional[int] = None,
        batch_bytes: Optional[int] = None,
        decimal_scale: Union[int, None, Literal["default"]] = "default",
        binary: Optional[Iterable[str]] = None,
        limits: Optional[Dictionary[str, int]] = None,
    ) -> None:
        self._handle: Optional[int] = None
        options: dict[str, Any] = {
            "arguments": dict(arguments) if arguments is not None else None,
            "format": format,
            "records": [records] if isinstance(records, str) else list(records) if records is not None else None,
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
        encoded = json.dumps(options).encode()
        if isinstance(source, Dictionary):
            source = json.dumps(source)
        if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            text = source.encode()
            handle = call(_library.library.streammap_mapping_open, text, len(text), encoded, failed=None)
        elif isinstance(source, (str, os.PathLike)):
            handle = call(_library.library.streammap_mapping_open_file, os.fsencode(source), encoded, failed=None)
        else:
            raise TypeError(f"a mapping is a path, a text or a dictionary, not {type(source).__name__}")
        self._handle = handle

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle is not None:
            _library.library.streammap_mapping_close(handle)

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of the columns."""
        memory = _library.Schema()
        address = ctypes.addressof(memory)
        call(_library.library.streammap_mapping_schema, self._handle, address, failed=-1)
        return pyarrow.Schema._import_from_c(address)


def compiled(source: MappingSource, options: dict[str, Any]) -> Mapping:
    """A mapping that may be compiled already."""
    if not isinstance(source, Mapping):
        return Mapping(source, **options)
    if options:
        raise TypeError("a Mapping has its options already")
    return source


def check(source: MappingSource, **options: Any) -> list[dict[str, Any]]:
    """All mistakes of a mapping, each with `line`, `column` and `message`; none where it is right.

    >>> streammap.check("streammap: 1\\nrecord: { id: { from: id, tpye: int64 } }")[0]["suggestion"]
    'type'
    """
    try:
        Mapping(source, **options)
    except MappingError as error:
        return error.mistakes
    return []
