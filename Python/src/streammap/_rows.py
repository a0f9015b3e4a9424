"""Batches as dictionaries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Optional

if TYPE_CHECKING:
    import pyarrow

Make = Callable[[Any], Any]


def rows(schema: pyarrow.Schema) -> Callable[[pyarrow.RecordBatch], Iterator[Dict[str, Any]]]:
    """Makes dictionaries of the rows of batches."""
    makes = [(field.name, _make(field)) for field in schema]

    def made(batch: pyarrow.RecordBatch) -> Iterator[Dict[str, Any]]:
        columns = []
        for (_, make), column in zip(makes, batch.columns):
            values = _storage(column).to_pylist()
            columns.append(values if make is None else [None if value is None else make(value) for value in values])
        names = [name for name, _ in makes]
        return (dict(zip(names, values)) for values in zip(*columns))

    return made


def _storage(array: pyarrow.Array) -> pyarrow.Array:
    import pyarrow

    return array.storage if isinstance(array, pyarrow.ExtensionArray) else array


def _make(field: pyarrow.Field) -> Optional[Make]:
    """What becomes of a value that pyarrow has made, and is not null; None if it stays."""
    import pyarrow

    type = field.type
    # An older pyarrow does not know the type of JSON, and keeps its name beside the field.
    if isinstance(type, pyarrow.BaseExtensionType) or (field.metadata or {}).get(b"ARROW:extension:name") == b"arrow.json":
        return json.loads
    if pyarrow.types.is_list(type):
        make = _make(type.value_field)
        return None if make is None else lambda values: [_made(make, value) for value in values]
    if pyarrow.types.is_map(type):
        make = _make(type.item_field)
        return lambda entries: {key: _made(make, value) for key, value in entries}
    if pyarrow.types.is_struct(type):
        makes = {inner.name: make for inner in type if (make := _make(inner)) is not None}
        return None if not makes else lambda value: {**value, **{name: _made(inner, value[name]) for name, inner in makes.items()}}
    return None


def _made(make: Optional[Make], value: Any) -> Any:
    return value if make is None or value is None else make(value)
