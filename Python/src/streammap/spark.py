"""A Spark data source: large JSON feeds, also one huge document, read by all executors.

    import streammap.spark
    streammap.spark.register(spark)
    orders = spark.read.format("streammap").option("mapping", "orders.map.yaml").load("/data/orders.json")

The driver cuts each feed into parts (of one document it makes an index first, or is given one), and each task reads one part. So
all rows are there once, also where a task runs again.

Options are written as Spark's own, in any case. Beside those of `streammap.Mapping` (`records`, `unseenPaths`, `format`, `errors`,
`arguments`, `limits`, `batchRows`, `batchBytes`, `decimalScale`, `binary`, `raw`, `fields`; lists and dictionaries as JSON):

- `mapping`: the mapping file's path or text. A file that uses other files has to be at the same path on each executor, and they
  have to have the bytes that the driver saw: a task says so where they have not. What is edited is compiled again by the next query.
- `partitionBytes`: how large a part is about (134217728). Smaller feeds are read several by one task, up to that size.
- `openCostBytes`: what it costs to open a feed, in bytes that could be read meanwhile (4194304): a feed counts as so many more.
- `index`: the index of the feed, as `stream-map index` or `streammap.index` writes it; or a folder with `NAME.smx` for each
  feed; or `always`: made by the driver for each feed that is cut, so that all rejects tell their numbers and lines. Without it,
  the driver makes one for each feed that cannot be cut without.
- `rejects`: `true` reads the errors of the records that cannot be mapped instead, a row each (`REJECTS` is the schema).
- `rejectsTo`: a folder that all executors see: each task writes its rejects there, as a file of JSON lines, when it is
  complete.
- `mode`: what becomes of records that cannot be mapped, in Spark's words, instead of `errors`: `FAILFAST` (the first one ends the
  query), `DROPMALFORMED` (they are left out), `PERMISSIVE` (each is a row of nulls, with its text in another column, which is null if the
  text has more than 64 KiB, or the mapping redacts something). Without `mode` and `errors` it is as the mapping file says.
- `columnNameOfCorruptRecord`: the name of that column (`_corrupt_record`).

Feeds are files that the driver and all executors see, folders of them, or patterns (`*.ndjson`). Those whose names end with `.gz`,
`.zst`, `.xz` or `.bz2` are not cut. A path of `records` that does not occur in a feed, or in a part of lines, is an error, unless
`unseenPaths` is `ignore`. In SQL: `CREATE TEMPORARY VIEW orders USING streammap
OPTIONS (mapping '/maps/orders.map.yaml', path '/data')`; Spark 4.3 makes no tables of a source in Python.

Spark 4.3 asks a data source in Python for all columns, whatever a query needs. With a schema of fewer columns, `.schema("id bigint")`,
the fields of the others are not mapped where `errors` is `fail`. With `skip` and `reject` they are mapped and left in the task, because rows
must not depend on the columns that are asked for. The option `fields` maps only what it names, always. Filters are Spark's. The data source
has no metrics of its own: Spark shows the rows and bytes that it takes from it. Counts, and fields that never occur, are what `streammap.open(…).summary` tells of a feed.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import threading
import urllib.parse
from typing import Any, Iterator, Mapping as Dictionary, Optional

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql import types as spark
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema

from ._errors import FeedError, Problem
from ._mapping import Mapping
from ._parts import Part, index, parts
from ._places import files
from ._rejects import problems
from ._source import open as open_source
from ._spark_types import field_of, fitted

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
_OPEN_COST_BYTES = 4 << 20
_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd", ".xz", ".bz2")
_OPTIONS = {
    "records", "format", "errors", "arguments", "unseen_paths", "limits", "batch_rows", "batch_bytes", "decimal_scale", "binary",
    "raw", "fields",
}  # fmt: skip
_OWN = {
    "mapping", "path", "paths", "partition_bytes", "open_cost_bytes", "index", "rejects", "rejects_to", "mode",
    "column_name_of_corrupt_record",
}  # fmt: skip
# Spark's modes, and what becomes of a record that cannot be mapped.
_MODES = {"FAILFAST": "fail", "DROPMALFORMED": "skip", "PERMISSIVE": "reject"}


def register(session: SparkSession) -> None:
    """Makes `spark.read.format("streammap")` known."""
    session.dataSource.register(StreamMapSource)


# --- What a query asks for.


def _made(source: str, is_path: bool, options: str) -> Mapping:
    given = json.loads(options)
    if is_path:
        return Mapping(pathlib.Path(source), **given)
    return Mapping(source if "\n" in source else source + "\n", **given)


@functools.lru_cache(maxsize=16)
def _compiled(source: str, is_path: bool, options: str, digest: str) -> Mapping:
    """The mapping as the driver saw it. A worker of Python runs one task after the other: one that is edited has another digest."""
    mapping = _made(source, is_path, options)
    if mapping.digest != digest:
        files = ", ".join(mapping.files)
        raise ValueError(f"streammap: this executor has other mapping files than the driver, or they were edited meanwhile: {files}")
    return mapping


@dataclasses.dataclass(frozen=True)
class _Query:
    """The options, read; pickled for the executors."""

    source: str
    is_path: bool
    options: str
    digest: str
    feeds: tuple[str, ...]
    partition_bytes: int
    open_cost_bytes: int
    index: Optional[str]
    rejects: bool
    rejects_to: Optional[str]
    corrupt: Optional[str]
    """The column of the texts of records that cannot be mapped, if they are rows."""

    @classmethod
    def of(cls, given: Dictionary[str, str]) -> "_Query":
        options = _named(given)
        if "provider" in options:
            raise ValueError(
                "streammap: Spark tells a source in Python nothing of a table's options once it is made: "
                "write CREATE TEMPORARY VIEW … USING streammap OPTIONS (path '…', mapping '…')"
            )
        if "mapping" not in options:
            raise ValueError("streammap: give option('mapping', a mapping file's path or text)")
        rejects = _flag(options, "rejects")
        rejects_to = options.get("rejects_to")
        corrupt: Optional[str] = None
        chosen: dict[str, Any] = {name: _value(name, options[name]) for name in _OPTIONS & set(options)}
        if rejects:
            chosen["errors"] = "reject"
        elif "mode" in options:
            if "errors" in options:
                raise ValueError("streammap: the options 'mode' and 'errors' say the same; keep one of them")
            mode = options["mode"].upper()
            if mode not in _MODES:
                raise ValueError(f"streammap: option 'mode' is {', '.join(_MODES)}, not {options['mode']!r}")
            chosen["errors"] = _MODES[mode]
            if mode == "PERMISSIVE":
                if rejects_to is not None:
                    raise ValueError("streammap: PERMISSIVE keeps the records that cannot be mapped as rows: leave rejectsTo out")
                chosen["raw"] = True
                corrupt = options.get("column_name_of_corrupt_record", "_corrupt_record")
        elif rejects_to is not None:
            chosen.setdefault("errors", "reject")
        if corrupt is None and "column_name_of_corrupt_record" in options:
            raise ValueError("streammap: columnNameOfCorruptRecord is for the mode PERMISSIVE")
        encoded = json.dumps(chosen, sort_keys=True)
        source, is_path = _mapping(options["mapping"], encoded)
        return cls(
            source, is_path, encoded, _made(source, is_path, encoded).digest, tuple(_feeds(options)),
            _number(options, "partition_bytes", _PARTITION_BYTES), _number(options, "open_cost_bytes", _OPEN_COST_BYTES),
            options.get("index"), rejects, rejects_to, corrupt,
        )  # fmt: skip

    @property
    def schema(self) -> spark.StructType:
        if self.rejects:
            return REJECTS
        fields = [field_of(field) for field in self.mapping.schema]
        if self.corrupt is None:
            return spark.StructType(fields)
        if self.corrupt in self.mapping.schema.names:
            raise ValueError(f"streammap: the mapping has a column {self.corrupt!r}: give columnNameOfCorruptRecord another name")
        # A record that cannot be mapped has nothing but its text.
        nullable = [spark.StructField(field.name, field.dataType, True) for field in fields]
        return spark.StructType([*nullable, spark.StructField(self.corrupt, spark.StringType())])

    def projected(self, names: list[str]) -> "_Query":
        """The query with no more fields than some columns need, where the others do not count."""
        if self.mapping.for_columns(names) is self.mapping:
            return self
        options = {**json.loads(self.options), "fields": names}
        return dataclasses.replace(self, options=json.dumps(options, sort_keys=True))

    @property
    def mapping(self) -> Mapping:
        return _compiled(self.source, self.is_path, self.options, self.digest)


def _named(given: Dictionary[str, str]) -> dict[str, str]:
    """The options by our names: Spark's are `partitionBytes`, in any case, and it hands them on in small letters.

    Options that are none are refused; `provider` is Spark's own, which tells of a table.
    """
    known = {name.replace("_", ""): name for name in _OPTIONS | _OWN | {"provider"}}
    options: dict[str, str] = {}
    for given_name, value in given.items():
        name = known.get(given_name.lower().replace("_", ""))
        if name is None:
            names = sorted(map(_camel, _OPTIONS | _OWN - {"paths"}))
            raise ValueError(f"streammap: there is no option {given_name!r}; there are {', '.join(names)}")
        if name in options:
            raise ValueError(f"streammap: option {_camel(name)!r} is given twice")
        options[name] = value
    return options


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _mapping(given: str, options: str) -> tuple[str, bool]:
    """The text of a mapping, which goes to the executors; its path where it uses other files."""
    if "\n" in given or given.lstrip().startswith("{"):
        return given, False
    path = _local(given)
    if len(_made(path, True, options).files) > 1:
        return os.path.abspath(path), True
    with open(path, encoding="utf-8") as file:
        return file.read(), False


def _value(name: str, text: str) -> Any:
    if name in ("batch_rows", "batch_bytes", "decimal_scale", "raw"):
        return json.loads(text)
    if name in ("arguments", "limits") or text.lstrip().startswith("["):
        return json.loads(text)
    return [text] if name in ("binary", "fields") else text


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
        yield from map(os.path.abspath, files(path))


# --- What Spark calls.


class StreamMapSource(DataSource):
    """`spark.read.format("streammap")`."""

    @classmethod
    def name(cls) -> str:
        return "streammap"

    def schema(self) -> spark.StructType:
        return _Query.of(self.options).schema

    def reader(self, schema: spark.StructType) -> DataSourceReader:
        query = _Query.of(self.options)
        known = query.schema.names
        for name in schema.names:
            if name not in known:
                raise ValueError(f"streammap: there is no column {name!r}; there are {', '.join(known)}")
        return StreamMapReader(query if query.rejects else query.projected(schema.names), schema)

    def writer(self, schema: spark.StructType, overwrite: bool) -> DataSourceWriter:
        raise ValueError("streammap: it reads feeds and writes none: write with a format of Spark's own, as .write.parquet(…) or .write.json(…)")


@dataclasses.dataclass
class _Stretch:
    """A feed, or a part of it."""

    feed: str
    number: int
    count: int
    part: Optional[str]


@dataclasses.dataclass
class _Task(InputPartition):
    """What a task reads, one after the other."""

    stretches: tuple[_Stretch, ...]


class StreamMapReader(DataSourceReader):
    """Cuts feeds on the driver, and reads their parts on executors."""

    def __init__(self, query: _Query, schema: spark.StructType) -> None:
        self._query = query
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        made: list[InputPartition] = []
        # Whole feeds, as many as make one task of the size that is asked for; each costs something to open.
        packed: list[_Stretch] = []
        size = 0
        for feed in self._query.feeds:
            cut = [part for part in self._parts(feed) if not part.is_empty]
            if cut:
                made += [_Task((_Stretch(feed, part.number, part.count, part.text),)) for part in cut]
                continue
            cost = os.path.getsize(feed) + self._query.open_cost_bytes
            if packed and size + cost > self._query.partition_bytes:
                made.append(_Task(tuple(packed)))
                packed, size = [], 0
            packed.append(_Stretch(feed, 1, 1, None))
            size += cost
        return [*made, _Task(tuple(packed))] if packed else made

    def _parts(self, feed: str) -> list[Part]:
        query = self._query
        if feed.lower().endswith(_COMPRESSED):
            return []
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
        if not isinstance(partition, _Task):
            return
        target = to_arrow_schema(self._schema, timezone="UTC")
        for stretch in partition.stretches:
            if self._query.corrupt is not None:
                yield from self._permissive(stretch, target)
                continue
            for batch in self._rejects(stretch) if self._query.rejects else self._records(stretch):
                yield fitted(batch, target)

    def _permissive(self, stretch: _Stretch, target: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
        """The records, and a row for each that cannot be mapped: its text, and nulls."""

        def read(put: Any) -> Iterator[None]:
            for batch in self._open(stretch, put):
                put(batch)
                yield

        texts: list[Optional[str]] = []

        def rows() -> Iterator[pyarrow.RecordBatch]:
            if texts:
                columns = [
                    pyarrow.array(texts, field.type) if field.name == self._query.corrupt else pyarrow.nulls(len(texts), field.type)
                    for field in target
                ]
                texts.clear()
                yield pyarrow.RecordBatch.from_arrays(columns, schema=target)

        for item in problems(read):
            if isinstance(item, Problem):
                texts.append(item.raw)
                if len(texts) >= 1000:
                    yield from rows()
            else:
                yield from rows()
                yield fitted(item, target)
        yield from rows()

    def _open(self, stretch: _Stretch, on_reject: Any) -> Iterator[pyarrow.RecordBatch]:
        part = None if stretch.part is None else Part.of(stretch.part)
        yield from open_source(stretch.feed, self._query.mapping, part=part, on_reject=on_reject)

    def _records(self, stretch: _Stretch) -> Iterator[pyarrow.RecordBatch]:
        folder = self._query.rejects_to
        if folder is None:
            yield from self._open(stretch, None)
            return
        folder = _local(folder)
        os.makedirs(folder, exist_ok=True)
        # Feeds of several folders may have one name.
        digest = hashlib.sha256(stretch.feed.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        name = f"{os.path.basename(stretch.feed)}-{digest}-{stretch.number:05d}-of-{stretch.count:05d}.ndjson"
        # A task that runs twice writes the same file.
        draft = os.path.join(folder, f".{name}.{os.getpid()}.{threading.get_ident()}")
        try:
            with open(draft, "w", encoding="utf-8") as file:

                def write(problem: Problem) -> None:
                    json.dump(problem.details, file, ensure_ascii=False)
                    file.write("\n")

                yield from self._open(stretch, write)
            os.replace(draft, os.path.join(folder, name))
        finally:
            if os.path.exists(draft):
                os.remove(draft)

    def _rejects(self, stretch: _Stretch) -> Iterator[pyarrow.RecordBatch]:
        """The rejects, some at a time."""
        schema = to_arrow_schema(REJECTS, timezone="UTC")
        rows: list[dict[str, Any]] = []
        for problem in problems(lambda put: self._open(stretch, put)):
            common = {"feed": stretch.feed, "details": json.dumps(problem.details, ensure_ascii=False)}
            for error in problem.errors:
                rows.append({name: common.get(name) or getattr(error, name) for name in schema.names})
            if len(rows) >= 1000:
                yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)
                rows = []
        if rows:
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)
