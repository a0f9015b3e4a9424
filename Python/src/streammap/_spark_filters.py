"""Filters of a query that are applied before its rows go to Spark."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any, Iterable, Optional

import pyarrow
from pyarrow import compute
from pyspark.sql import datasource as spark
from pyspark.sql import types
from pyspark.sql.pandas.types import to_arrow_type

# Not floating point, which Spark compares in its own way.
_TYPES = (
    types.BooleanType, types.ByteType, types.ShortType, types.IntegerType, types.LongType, types.DecimalType, types.DateType,
    types.TimestampType, types.BinaryType,
)  # fmt: skip
_COMPARISONS = {
    spark.EqualTo: "equal",
    spark.EqualNullSafe: "equal",
    spark.GreaterThan: "greater",
    spark.GreaterThanOrEqual: "greater_equal",
    spark.LessThan: "less",
    spark.LessThanOrEqual: "less_equal",
}
_TEXTS = {spark.StringStartsWith: "starts_with", spark.StringEndsWith: "ends_with", spark.StringContains: "match_substring"}


@dataclasses.dataclass(frozen=True)
class Test:
    """What a row needs so that a filter may hold for it. Spark looks at the filter, too: a row that is kept for nothing is no mistake."""

    column: str
    function: str
    value: Any
    is_negated: bool

    def holds(self, column: pyarrow.Array) -> pyarrow.Array:
        """For each value, whether the filter may hold. A null counts as no."""
        function = getattr(compute, self.function)
        if self.value is None:
            found = function(column)
        elif self.function == "is_in":
            found = function(column, value_set=self.value)
        else:
            found = function(column, self.value)
        return compute.invert(found) if self.is_negated else found


def tests(filters: Iterable[spark.Filter], schema: types.StructType) -> list[Test]:
    """The tests of the filters that are understood: those that compare a column with a value."""
    columns = {
        field.name: to_arrow_type(field.dataType, timezone="UTC")
        for field in schema
        # Other texts are compared by another collation.
        if isinstance(field.dataType, _TYPES) or field.dataType == types.StringType()
    }
    return [test for test in (_test(filter, columns, False) for filter in filters) if test is not None]


def _test(filter: spark.Filter, columns: dict[str, pyarrow.DataType], is_negated: bool) -> Optional[Test]:
    if isinstance(filter, spark.Not):
        return _test(filter.child, columns, not is_negated)
    path: tuple[str, ...] = getattr(filter, "attribute", ())
    if len(path) != 1 or path[0] not in columns:
        return None
    name, type = path[0], columns[path[0]]
    if isinstance(filter, spark.IsNull):
        return Test(name, "is_null", None, is_negated)
    if isinstance(filter, spark.IsNotNull):
        return Test(name, "is_valid", None, is_negated)
    kind = filter.__class__
    given: Any = getattr(filter, "value", None)
    try:
        if isinstance(filter, spark.In):
            return Test(name, "is_in", pyarrow.array([_value(one) for one in given if one is not None], type), is_negated)
        if kind in _TEXTS and pyarrow.types.is_string(type):
            return Test(name, _TEXTS[kind], given, is_negated)
        # Where the value is null, the filter is about nulls, or never holds. Where it is not, <=> also says something of nulls.
        if kind not in _COMPARISONS or given is None or (kind is spark.EqualNullSafe and is_negated):
            return None
        return Test(name, _COMPARISONS[kind], pyarrow.scalar(_value(given), type), is_negated)
    except (pyarrow.ArrowException, OverflowError, TypeError):
        # The column does not have such a value: Spark knows what that means.
        return None


def _value(value: Any) -> Any:
    # A time without a zone is one of the session's zone.
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        raise TypeError("a time without a zone")
    return value


def kept(batch: pyarrow.RecordBatch, given: Iterable[Test]) -> pyarrow.RecordBatch:
    """The rows for which all tests hold."""
    for test in given:
        batch = batch.filter(test.holds(batch.column(test.column)))
    return batch
