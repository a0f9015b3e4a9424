"""A Spark data source: large JSON feeds, also one huge document, read by all executors.

    import streammap.spark
    streammap.spark.register(spark)
    orders = spark.read.format("streammap").option("mapping", "orders.map.yaml").load("/data/orders.json")

The driver cuts each feed into parts (of one document it makes an index first, or is given one), and each task reads one part. So
all rows are there once, also where a task runs again.

Options, beside those of `streammap.Mapping` (`records`, `format`, `errors`, `arguments`, `limits`, `batch_rows`, `batch_bytes`,
`decimal_scale`, `binary`; lists and dictionaries as JSON):

- `mapping`: the mapping file's path or text. A file that uses other files has to be at the same path on each executor.
- `partition_bytes`: how large a part is about (134217728). Smaller feeds are one part.
- `index`: the index of the feed, as `stream-map index` or `streammap.index` writes it; or a folder with `NAME.smx` for each
  feed; or `always`: made by the driver for each feed that is cut, so that all rejects tell their numbers and lines. Without it,
  the driver makes one for each feed that cannot be cut without.
- `rejects`: `true` reads the errors of the records that cannot be mapped instead, a row each (`REJECTS` is the schema).
- `rejects_to`: a folder that all executors see: each task writes its rejects there, as a file of JSON lines, when it is
  complete.

Feeds are files that the driver and all executors see, folders of them, or patterns (`*.ndjson`). Those whose names end with `.gz`,
`.bz2` or `.xz` are decompressed, each by one task.

Spark 4.3 asks a data source in Python for all columns, whatever a query needs. A schema of fewer columns, `.schema("id bigint")`,
leaves the others in the task. Filters are Spark's. The data source has no metrics of its own: Spark shows the rows and bytes that it
takes from it.
"""

from __future__ import annotations

import bz2
import dataclasses
import functools
import glob
import gzip
import json
import lzma
import os
import pathlib
import queue
import threading
import urllib.parse
from typing import Any, Iterator, Mapping as Dictionary, Optional, Union

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql import types as spark
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema

from ._errors import FeedError, MappingError, Problem
from ._feed import read
from ._mapping import Mapping
from ._parts import Part, index, parts

REJECTS = spark.StructType(
    [
        spark.StructField("feed", spark.StringType(), False),
        spark.StructField("record", spark.LongType()),
        spark.StructField("code", spark.StringType(), False),
        spark.StructField("message", spark.StringType(), False),
        spark.StructField("path", spark.StringType()),
        spark.StructField("line", spark.LongType()),
        spark.StructField("column", spark.LongType()),
        spark.StructField("offset", spark.LongType()),
        spark.StructField("end", spark.LongType()),
        spark.StructField("details", spark.StringType(), False),
    ]
)
"""The columns of rejects, a row for each error of a record; `details` is the line that `stream-map run --rejects` writes."""

_PARTITION_BYTES = 128 << 20
_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_OPTIONS = {
    "records", "format", "errors", "arguments", "limits", "batch_rows", "batch_bytes", "decimal_scale", "binary",
}  # fmt: skip
_OWN = {"mapping", "path", "paths", "partition_bytes", "index", "rejects", "rejects_to"}


def register(session: SparkSession) -> None:
    """Makes `spark.read.format("streammap")` known."""
    session.dataSource.register(StreamMapSource)


# --- What a query asks for.


@functools.lru_cache(maxsize=16)
def _compile(source: str, is_path: bool, options: str) -> Mapping:
    # A worker of Python runs one task after the other.
    given = json.loads(options)
    if is_path:
        return Mapping(pathlib.Path(source), **given)
    return Mapping(source if "\n" in source else source + "\n", **given)


@dataclasses.dataclass(frozen=True)
class _Query:
    """The options, read; pickled for the executors."""

    source: str
    is_path: bool
    options: str
    feeds: tuple[str, ...]
    partition_bytes: int
    index: Optional[str]
    rejects: bool
    rejects_to: Optional[str]

    @classmethod
    def of(cls, given: Dictionary[str, str]) -> "_Query":
        options = {name.lower(): value for name, value in given.items()}
        unknown = sorted(set(options) - _OPTIONS - _OWN)
        if unknown:
            raise ValueError(f"streammap: there is no option {unknown[0]!r}; there are {', '.join(sorted(_OPTIONS | _OWN - {'paths'}))}")
        if "mapping" not in options:
            raise ValueError("streammap: give option('mapping', a mapping file's path or text)")
        rejects = _flag(options, "rejects")
        rejects_to = options.get("rejects_to")
        chosen: dict[str, Any] = {name: _value(name, options[name]) for name in _OPTIONS & set(options)}
        if rejects:
            chosen["errors"] = "reject"
        elif rejects_to is not None:
            chosen.setdefault("errors", "reject")
        source, is_path = _mapping(options["mapping"], chosen)
        return cls(
            source, is_path, json.dumps(chosen, sort_keys=True), tuple(_feeds(options)),
            _number(options, "partition_bytes", _PARTITION_BYTES), options.get("index"), rejects, rejects_to,
        )  # fmt: skip

    @property
    def mapping(self) -> Mapping:
        return _compile(self.source, self.is_path, self.options)


def _mapping(given: str, options: dict[str, Any]) -> tuple[str, bool]:
    """The text of a mapping, which goes to the executors; its path where it uses other files."""
    if "\n" in given or given.lstrip().startswith("{"):
        return given, False
    path = _local(given)
    Mapping(pathlib.Path(path), **options)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        _compile(text, False, json.dumps(options, sort_keys=True))
        return text, False
    except MappingError:
        return os.path.abspath(path), True


def _value(name: str, text: str) -> Any:
    if name in ("batch_rows", "batch_bytes", "decimal_scale"):
        return json.loads(text)
    if name in ("arguments", "limits") or text.lstrip().startswith("["):
        return json.loads(text)
    return [text] if name == "binary" else text


def _flag(options: Dictionary[str, str], name: str) -> bool:
    text = options.get(name, "false").lower()
    if text not in ("true", "false"):
        raise ValueError(f"streammap: option {name!r} is true or false, not {text!r}")
    return text == "true"


def _number(options: Dictionary[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default))
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"streammap: option {name!r} is a whole number from 1, not {text!r}")
    return int(text)


def _local(path: str) -> str:
    parsed = urllib.parse.urlsplit(path)
    if parsed.scheme == "file":
        return urllib.parse.unquote(parsed.path)
    if parsed.scheme and "://" in path:
        raise ValueError(f"streammap: {path} is no file: mount the store, or copy the feed")
    return path


def _feeds(options: Dictionary[str, str]) -> Iterator[str]:
    given = json.loads(options["paths"]) if "paths" in options else [options["path"]] if "path" in options else []
    if not given:
        raise ValueError("streammap: give load(…) the path of a feed")
    for path in map(_local, given):
        if os.path.isdir(path):
            yield from _folder(path)
        elif os.path.exists(path):
            yield os.path.abspath(path)
        else:
            found = sorted(glob.glob(path, recursive=True))
            if not found:
                raise FileNotFoundError(f"streammap: there is no feed {path}")
            for name in found:
                yield from _folder(name) if os.path.isdir(name) else [os.path.abspath(name)]


def _folder(path: str) -> Iterator[str]:
    for folder, folders, names in os.walk(path):
        # As Spark does; and an index is no feed.
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        for name in sorted(names):
            if name[0] not in "._" and not name.endswith(".smx"):
                yield os.path.abspath(os.path.join(folder, name))


# --- What Spark calls.


class StreamMapSource(DataSource):
    """`spark.read.format("streammap")`."""

    @classmethod
    def name(cls) -> str:
        return "streammap"

    def schema(self) -> spark.StructType:
        query = _Query.of(self.options)
        if query.rejects:
            return REJECTS
        return spark.StructType([_field(field) for field in query.mapping.schema])

    def reader(self, schema: spark.StructType) -> DataSourceReader:
        return StreamMapReader(_Query.of(self.options), schema)


@dataclasses.dataclass
class _Stretch(InputPartition):
    """What a task reads: a feed, or a part of it."""

    feed: str
    number: int
    count: int
    part: Optional[str]


class StreamMapReader(DataSourceReader):
    """Cuts feeds on the driver, and reads their parts on executors."""

    def __init__(self, query: _Query, schema: spark.StructType) -> None:
        self._query = query
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        made: list[InputPartition] = []
        for feed in self._query.feeds:
            cut = [] if os.path.splitext(feed)[1] in _OPENERS else self._parts(feed)
            stretches = [part for part in cut if not part.is_empty]
            if not stretches:
                made.append(_Stretch(feed, 1, 1, None))
            made += [_Stretch(feed, part.number, part.count, part.text) for part in stretches]
        return made

    def _parts(self, feed: str) -> list[Part]:
        query = self._query
        count = -(-os.path.getsize(feed) // query.partition_bytes)
        if count <= 1:
            return []
        given = self._index(feed)
        if given is None and query.index != "always":
            try:
                return parts(feed, query.mapping, count)
            except FeedError as error:
                if error.code != "invalidDefinition":
                    raise
        if given is None:
            try:
                given = index(feed, query.mapping, every=max(query.partition_bytes // 4, 1))
            except FeedError as error:
                if error.code == "io":
                    raise
                # It is malformed: one task reads what comes before that, and says so.
                return []
        return parts(feed, query.mapping, count, index=given)

    def _index(self, feed: str) -> Optional[str]:
        path = self._query.index
        if path is None or path == "always":
            return None
        path = _local(path)
        if os.path.isdir(path):
            path = os.path.join(path, os.path.basename(feed) + ".smx")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        if not isinstance(partition, _Stretch):
            return
        target = to_arrow_schema(self._schema, timezone="UTC")
        batches = self._rejects(partition) if self._query.rejects else self._records(partition)
        for batch in batches:
            columns = [_converted(batch.column(name), target.field(name).type) for name in target.names]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=target)

    def _open(self, partition: _Stretch, on_reject: Any) -> Iterator[pyarrow.RecordBatch]:
        part = None if partition.part is None else Part.of(partition.part)
        opener = _OPENERS.get(os.path.splitext(partition.feed)[1])
        if opener is None:
            yield from read(partition.feed, self._query.mapping, part=part, on_reject=on_reject)
        else:
            with opener(partition.feed, "rb") as file:
                yield from read(file, self._query.mapping, on_reject=on_reject)

    def _records(self, partition: _Stretch) -> Iterator[pyarrow.RecordBatch]:
        folder = self._query.rejects_to
        if folder is None:
            yield from self._open(partition, None)
            return
        folder = _local(folder)
        os.makedirs(folder, exist_ok=True)
        name = f"{os.path.basename(partition.feed)}-{partition.number:05d}-of-{partition.count:05d}.ndjson"
        # A task that runs twice writes the same file.
        draft = os.path.join(folder, f".{name}.{os.getpid()}.{threading.get_ident()}")
        try:
            with open(draft, "w", encoding="utf-8") as file:

                def write(problem: Problem) -> None:
                    json.dump(problem.details, file, ensure_ascii=False)
                    file.write("\n")

                yield from self._open(partition, write)
            os.replace(draft, os.path.join(folder, name))
        finally:
            if os.path.exists(draft):
                os.remove(draft)

    def _rejects(self, partition: _Stretch) -> Iterator[pyarrow.RecordBatch]:
        """The rejects, some at a time: the thread that reads waits until they are taken."""
        schema = to_arrow_schema(REJECTS, timezone="UTC")
        taken: queue.Queue[Union[Problem, BaseException, None]] = queue.Queue(maxsize=1000)
        over = threading.Event()

        def put(item: Union[Problem, BaseException, None]) -> None:
            while not over.is_set():
                try:
                    return taken.put(item, timeout=0.1)
                except queue.Full:
                    continue
            raise _Over

        def run() -> None:
            try:
                for _ in self._open(partition, put):
                    if over.is_set():
                        return
                put(None)
            except _Over:
                pass
            except BaseException as error:
                put(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            item: Union[Problem, BaseException, None] = taken.get()
            while item is not None:
                rows: list[dict[str, Any]] = []
                while isinstance(item, Problem) and len(rows) < 1000:
                    common = {"feed": partition.feed, "details": json.dumps(item.details, ensure_ascii=False)}
                    for error in item.errors:
                        rows.append({name: common.get(name) or getattr(error, name) for name in schema.names})
                    item = taken.get()
                if rows:
                    yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)
                if isinstance(item, BaseException):
                    raise item
        finally:
            over.set()
            thread.join()


class _Over(Exception):
    """Nobody takes any more rejects."""


# --- Types.


def _field(field: pyarrow.Field) -> spark.StructField:
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
        return spark.StructType([_field(type.field(i)) for i in range(type.num_fields)])
    return _SCALARS[type]


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
