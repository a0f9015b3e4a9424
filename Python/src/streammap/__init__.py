"""StreamMap: large JSON feeds into Arrow columns, with flat memory and exact errors.

    import streammap
    table = streammap.read("orders.ndjson", "orders.map.yaml").read_all()

`read` gives a stream of Arrow's record batches, which pandas, polars and DuckDB take as it is.

One rule for exceptions: what is wrong with a mapping or its options is a `MappingError`, and a `ValueError`; what is wrong with a
feed is a `FeedError`; where its bytes cannot be read, that is an `OSError`, too (a `FileNotFoundError` where there is no feed). What is
wrong with the call is a `TypeError` or a `ValueError`. What a feed or `on_reject` raises comes through as it is.
"""

from ._errors import FeedError, FeedNotFoundError, FeedReadError, MappingError, Problem, StreamMapError, UnfoundWarning
from ._feed import Counts, Reader, map_bytes, read
from ._infer import infer
from ._mapping import Mapping, check
from ._parts import Part, index, parts
from ._version import VERSION as __version__

__all__ = [
    "Counts",
    "FeedError",
    "FeedNotFoundError",
    "FeedReadError",
    "Mapping",
    "MappingError",
    "Part",
    "Problem",
    "Reader",
    "StreamMapError",
    "UnfoundWarning",
    "check",
    "index",
    "infer",
    "map_bytes",
    "parts",
    "read",
]
