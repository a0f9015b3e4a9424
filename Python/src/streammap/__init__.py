"""StreamMap: large JSON feeds into Arrow columns, with flat memory and exact errors.

    import streammap
    orders = streammap.open("orders/*.ndjson.gz", "orders.map.yaml")
    table = orders.read_all()

`open` makes a source, which is read as often as something is taken of it: pandas, polars, DuckDB and pyarrow take it as it is.

One rule for exceptions: what is wrong with a mapping or its options is a `MappingError`, and a `ValueError`; what is wrong with a
feed is a `FeedError`; where its bytes cannot be read, that is an `OSError`, too (a `FileNotFoundError` where there is no feed). What is
wrong with the call is a `TypeError` or a `ValueError`. What a feed or `on_reject` raises comes through as it is.
"""

from typing import TYPE_CHECKING, Any

from ._errors import FeedError, FeedNotFoundError, FeedReadError, MappingError, Problem, StreamMapError, UnfoundWarning
from ._feed import Summary
from ._infer import infer
from ._mapping import Mapping, check
from ._options import Options
from ._parts import Part, index, parts
from ._reader import Reader
from ._source import Source, open
from ._version import VERSION as __version__

if TYPE_CHECKING:
    import pyarrow

    REJECTS: pyarrow.Schema

__all__ = [
    "REJECTS",
    "FeedError",
    "FeedNotFoundError",
    "FeedReadError",
    "Mapping",
    "MappingError",
    "Options",
    "Part",
    "Problem",
    "Reader",
    "Source",
    "StreamMapError",
    "Summary",
    "UnfoundWarning",
    "__version__",
    "check",
    "index",
    "infer",
    "open",
    "parts",
]


def __getattr__(name: str) -> Any:
    # pyarrow is imported where it is first needed: it takes far longer than all of this package.
    if name == "REJECTS":
        from ._rejects import schema

        return schema()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
