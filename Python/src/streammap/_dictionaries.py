"""Text columns as Arrow's dictionaries: each text once, and for each row the number of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Collection, Dict, List

from ._errors import MappingError, Problem

if TYPE_CHECKING:
    import pyarrow


def encoded_schema(schema: pyarrow.Schema, names: Collection[str]) -> pyarrow.Schema:
    """A schema in which some columns of texts are dictionaries.

    Raises `MappingError` if there is no such column.
    """
    import pyarrow

    texts = [field.name for field in schema if _has_texts(field)]
    for name in names:
        if name not in texts:
            message = f"option 'dictionary': {_mistake(schema, texts, name)}"
            raise MappingError(Problem("mapping", message, details=[{"code": "mapping", "message": message}]))
    type = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    return pyarrow.schema([field.with_type(type) if field.name in names else field for field in schema], schema.metadata)


def _has_texts(field: pyarrow.Field) -> bool:
    import pyarrow

    # An older pyarrow knows JSON only by this.
    return pyarrow.types.is_string(field.type) and b"ARROW:extension:name" not in (field.metadata or {})


def _mistake(schema: pyarrow.Schema, texts: List[str], name: str) -> str:
    if name in schema.names:
        return f"the column '{name}' is not of texts, but of {schema.field(name).type}"
    import difflib

    near = difflib.get_close_matches(name, texts, 1)
    return f"there is no column of texts '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")


class Dictionaries:
    """The dictionaries of one reading. They only grow: the number of a text is the same in all batches."""

    def __init__(self, schema: pyarrow.Schema) -> None:
        import pyarrow

        self._schema = schema
        self._texts: Dict[str, Any] = {
            field.name: pyarrow.array([], pyarrow.string()) for field in schema if pyarrow.types.is_dictionary(field.type)
        }

    def encoded(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        """A batch, with its dictionaries."""
        if not self._texts:
            return batch
        import pyarrow

        columns = [self._column(name, batch.column(name)) if name in self._texts else batch.column(name) for name in batch.schema.names]
        return pyarrow.RecordBatch.from_arrays(columns, schema=self._schema)

    def _column(self, name: str, column: pyarrow.Array) -> pyarrow.Array:
        import pyarrow
        from pyarrow import compute

        column = column.dictionary_encode()
        known, texts = self._texts[name], column.dictionary
        numbers = compute.index_in(texts, known)
        if numbers.null_count > 0:
            known = self._texts[name] = pyarrow.concat_arrays([known, texts.filter(numbers.is_null())])
            numbers = compute.index_in(texts, known)
        return pyarrow.DictionaryArray.from_arrays(numbers.take(column.indices), known)
