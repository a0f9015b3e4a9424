"""StreamMap: large JSON feeds into Arrow columns, with flat memory and exact errors.

    import streammap
    frame = streammap.read("orders.ndjson", "orders.map.yaml").read_pandas()

`read` gives a `pyarrow.RecordBatchReader`, which pandas, polars and DuckDB take as it is.
"""

from ._errors import FeedError, MappingError, Problem, StreamMapError
from ._feed import map_bytes, read
from ._infer import infer
from ._mapping import Mapping, check
from ._parts import Part, index, parts
from ._version import VERSION as __version__

__all__ = [
    "FeedError",
    "Mapping",
    "MappingError",
    "Part",
    "Problem",
    "StreamMapError",
    "check",
    "index",
    "infer",
    "map_bytes",
    "parts",
    "read",
]
