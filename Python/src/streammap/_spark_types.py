"""Columns of Arrow's as Spark's."""

from __future__ import annotations

import pyarrow
from pyspark.sql import types as spark


def field_of(field: pyarrow.Field) -> spark.StructField:
    """The column of Spark's that holds all values of one of Arrow's."""
    return spark.StructField(field.name, _type(field.type), field.nullable)


_SCALARS = {
    pyarrow.bool_(): spark.BooleanType(),
    pyarrow.int8(): spark.ByteType(),
    pyarrow.int16(): spark.ShortType(),
    pyarrow.int32(): spark.IntegerType(),
    pyarrow.int64(): spark.LongType(),
    # Spark has no unsigned numbers: the next larger type holds all values.
    pyarrow.uint8(): spark.ShortType(),
    pyarrow.uint16(): spark.IntegerType(),
    pyarrow.uint32(): spark.LongType(),
    pyarrow.uint64(): spark.DecimalType(20, 0),
    pyarrow.float32(): spark.FloatType(),
    pyarrow.float64(): spark.DoubleType(),
    pyarrow.timestamp("us", "UTC"): spark.TimestampType(),
    pyarrow.date32(): spark.DateType(),
    pyarrow.string(): spark.StringType(),
    pyarrow.binary(): spark.BinaryType(),
}


def _type(type: pyarrow.DataType) -> spark.DataType:
    if isinstance(type, pyarrow.BaseExtensionType):
        return _type(type.storage_type)
    if pyarrow.types.is_decimal(type):
        return spark.DecimalType(type.precision, type.scale)
    if pyarrow.types.is_list(type):
        return spark.ArrayType(_type(type.value_type), type.value_field.nullable)
    if pyarrow.types.is_map(type):
        return spark.MapType(_type(type.key_type), _type(type.item_type), type.item_field.nullable)
    if pyarrow.types.is_struct(type):
        return spark.StructType([field_of(type.field(i)) for i in range(type.num_fields)])
    return _SCALARS[type]


def fitted(batch: pyarrow.RecordBatch, target: pyarrow.Schema, given: dict[str, pyarrow.Scalar]) -> pyarrow.RecordBatch:
    """The batch by Spark's types, with columns of one value that are given; a column that is in neither is null."""
    columns = []
    for field in target:
        if field.name in given:
            columns.append(pyarrow.repeat(given[field.name], batch.num_rows))
        elif field.name in batch.schema.names:
            columns.append(_converted(batch.column(field.name), field.type))
        else:
            columns.append(pyarrow.nulls(batch.num_rows, field.type))
    return pyarrow.RecordBatch.from_arrays(columns, schema=target)


def _converted(array: pyarrow.Array, type: pyarrow.DataType) -> pyarrow.Array:
    """The same values by Spark's type; their buffers stay where they are, unless numbers become wider."""
    if array.type.equals(type):
        return array
    if isinstance(array, pyarrow.ExtensionArray):
        return _converted(array.storage, type)
    nested = pyarrow.types.is_list, pyarrow.types.is_map, pyarrow.types.is_struct
    for is_kind in nested:
        if is_kind(array.type) and is_kind(type):
            return _nested(array, type)
    return array.cast(type)


def _nested(array: pyarrow.Array, type: pyarrow.DataType) -> pyarrow.Array:
    if pyarrow.types.is_struct(type):
        buffers = array.buffers()[:1]
        names = [array.type.field(i).name for i in range(array.type.num_fields)]
        children = []
        for i in range(type.num_fields):
            field = type.field(i)
            if field.name not in names:
                raise ValueError(f"streammap: there is no column {field.name!r}; there are {', '.join(names)}")
            children.append(_converted(array.field(names.index(field.name)), field.type))
    else:
        buffers = array.buffers()[:2]
        if pyarrow.types.is_map(type):
            entries = pyarrow.struct([type.key_field, type.item_field])
            children = [
                pyarrow.Array.from_buffers(
                    entries, len(array.keys), [None],
                    children=[_converted(array.keys, type.key_type), _converted(array.items, type.item_type)],
                )
            ]  # fmt: skip
        else:
            children = [_converted(array.values, type.value_type)]
    return pyarrow.Array.from_buffers(type, len(array), buffers, array.null_count, array.offset, children)
