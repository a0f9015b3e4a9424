"""Mappings that are inferred from a feed."""

from __future__ import annotations

import json
import os
from typing import Optional

from . import _library
from ._errors import FeedError, Problem, call, unreadable
from ._pieces import FeedSource, Pieces


def infer(
    feed: FeedSource,
    *,
    records: Optional[str] = None,
    format: Optional[str] = None,
    sample_records: Optional[int] = None,
) -> str:
    """A mapping file (YAML) that takes the first records of a feed: to look at, to change, and to read it with.

    `feed` is that of `read`.

    - `records`: where the records are, as `$.items[*]`; else they are the lines, or the elements of the largest array of the only
      document.
    - `format`: how records follow each other (`auto`, `json`, `ndjson`, `concat`, `seq`).
    - `sample_records`: how many records are looked at (10000).

    >>> frame = streammap.read("orders.ndjson", streammap.infer("orders.ndjson")).read_pandas()

    Raises `MappingError` for a wrong option; `FeedError` where there are no records, or the feed cannot be read; what the
    feed raises.
    """
    if isinstance(feed, (str, os.PathLike)):
        try:
            file = open(feed, "rb")
        except OSError as error:
            problem = Problem("io", f"cannot open {os.fspath(feed)!s}: {error.strerror}")
            raise unreadable(feed, problem, error) from None
        with file:
            return infer(file, records=records, format=format, sample_records=sample_records)
    pieces = Pieces([bytes(feed)] if isinstance(feed, (bytes, bytearray, memoryview)) else feed)
    options = {"records": records, "format": format, "sample_records": sample_records}
    encoded = json.dumps({name: value for name, value in options.items() if value is not None}).encode()
    function = _library.library.streammap_infer
    try:
        return _library.taken(call(function, pieces.callback, None, pieces.name, encoded, failed=None))
    except FeedError:
        exception = pieces.take_exception()
        if exception is not None:
            raise exception
        raise
