"""Mappings that are inferred from a feed."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional

from . import _library
from ._errors import FeedError, call
from ._options import Format
from ._pieces import Pieces
from ._places import File, Sources, places


def infer(
    source: Sources,
    *,
    records: Optional[str] = None,
    format: Optional[Format] = None,
    sample_records: Optional[int] = None,
    storage_options: Optional[Dict[str, Any]] = None,
) -> str:
    """A mapping file (YAML) that takes the first records of a feed: to look at, to change, and to read it with.

    `source` is that of `open`; of several feeds the first one is looked at.

    - `records`: where the records are, as `$.items[*]`; else they are the lines, or the elements of the largest array of the only
      document.
    - `format`: how records follow each other (`auto`, `json`, `ndjson`, `concat`, `seq`).
    - `sample_records`: how many records are looked at (10000).

    >>> orders = streammap.open("orders.ndjson", streammap.infer("orders.ndjson"))

    Raises `MappingError` for a wrong option; `FeedError` where there are no records, or the feed cannot be read; what the
    feed raises.
    """
    given = {"records": records, "format": format, "sample_records": sample_records}
    options = json.dumps({name: value for name, value in given.items() if value is not None}).encode()
    feeds = places(source, storage_options)
    if not feeds:
        raise ValueError("there is no feed to look at")
    opened = feeds[0].open()
    try:
        if opened.is_path:
            with File(opened.content).file() as file:
                return _inferred(file, opened.name, options)
        return _inferred([opened.content] if isinstance(opened.content, bytes) else opened.content, opened.name, options)
    finally:
        if opened.close is not None:
            opened.close()


def _inferred(content: Any, name: Optional[str], options: bytes) -> str:
    pieces = Pieces(content)
    encoded = None if name is None else _library.text(name)
    try:
        return _library.taken(call(_library.library.streammap_infer, pieces.callback, None, encoded, options, failed=None))
    except FeedError:
        exception = pieces.take_exception()
        if exception is not None:
            raise exception
        raise
