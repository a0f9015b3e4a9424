"""A Spark data source: large JSON feeds, also one huge document, read by all executors.

    import streammap.spark
    streammap.spark.register(spark)
    orders = spark.read.format("streammap").option("mapping", "orders.map.yaml").load("/data/orders.json")

The driver cuts each feed into parts (of one document it makes an index first, or is given one), and each task reads one part. So
all rows are there once, also where a task runs again.

Options are written as Spark's own, in any case. Beside those of `streammap.Mapping` (`records`, `unseenPaths`, `format`, `errors`,
`arguments`, `limits`, `batchRows`, `batchBytes`, `decimalScale`, `binary`, `raw`, `fields`, `where`; lists and dictionaries as JSON):

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
- `partitionColumns`: `false` makes no columns of folders. Without it, a folder `day=2026-11-24` below the path is a value of the column
  `day`: a number or a date where all values are such, else a text. The folders of a pattern count from its first wildcard on.
- `basePath`: the folder below which folders are columns, instead of the path.
- `columnNameOfInputFile`: the name of a column with the name of each row's feed; without it there is none.
- `storageOptions`: the settings of fsspec for addresses, as JSON. Spark shows options: keys belong into the environment.
- `maxFilesPerTrigger`, `maxFileAge` (`7d`): of a stream, how many feeds a batch has at most, and how much older than the newest
  feed that was seen a new one may be. Older ones are left out, but for those of the first batch.

Feeds are files that the driver and all executors see, folders of them, patterns (`*.ndjson`), or addresses that fsspec knows on the
driver and all executors (`s3://bucket/orders/*.ndjson`).
Each task reads its own bytes of a feed, also
of one at an address. Feeds whose names end with `.gz`, `.zst`, `.xz` or `.bz2` are not cut: one task reads each.

`spark.readStream.format("streammap")` takes the new feeds of a folder as batches, each once. The offset in Spark's checkpoint has the
feeds that were seen, as far as they are not older than `maxFileAge`; so a batch that runs again has the same feeds. A feed
has to appear whole (by renaming), and is not read again when it is overwritten.

A path of `records` that does not occur in a feed, or in a part of lines, is an error, unless
`unseenPaths` is `ignore`. In SQL: `CREATE TEMPORARY VIEW orders USING streammap
OPTIONS (mapping '/maps/orders.map.yaml', path '/data')`; Spark 4.3 makes no tables of a source in Python.

Spark 4.3 asks a data source in Python for all columns, whatever a query needs. With a schema of fewer columns, `.schema("id bigint")`,
the fields of the others are not mapped where `errors` is `fail`. With `skip` and `reject` they are mapped and left in the task, because rows
must not depend on the columns that are asked for. The option `fields` maps only what it names, always.

Filters are Spark's, since what Spark 4.3 pushes down to a source in Python also filters the next query of the same frame. The option `where`
leaves records out before they are rows: a condition as mapping files have it, in JSON, as `{"field": "id", "min": 1000}`. A path such as
`/data/day=2026-11-2*` opens no other folders. The data source
has no metrics of its own: Spark shows the rows and bytes that it takes from it. Counts, and fields that never occur, are what `streammap.open(…).summary` tells of a feed.
"""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql import types as spark
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, DataSourceWriter

from ._errors import FeedNotFoundError
from ._spark_query import REJECTS, Query
from ._spark_reader import StreamMapReader
from ._spark_stream import StreamMapStreamReader

__all__ = ["REJECTS", "StreamMapSource", "register"]


def register(session: SparkSession) -> None:
    """Makes `spark.read.format("streammap")` known."""
    session.dataSource.register(StreamMapSource)


class StreamMapSource(DataSource):
    """`spark.read.format("streammap")`."""

    @classmethod
    def name(cls) -> str:
        return "streammap"

    def schema(self) -> spark.StructType:
        query = Query.of(self.options)
        try:
            feeds = query.feeds()
        except FeedNotFoundError:
            # A stream may begin before its first feed; a query that reads says what is missing.
            feeds = []
        return query.schema(feeds)

    def reader(self, schema: spark.StructType) -> DataSourceReader:
        return StreamMapReader(self._query(schema), schema)

    def streamReader(self, schema: spark.StructType) -> DataSourceStreamReader:
        return StreamMapStreamReader(self._query(schema), schema)

    def _query(self, schema: spark.StructType) -> Query:
        """The query for some columns.

        Raises `ValueError` where there is no such column.
        """
        query = Query.of(self.options)
        known = query.columns.names
        if not set(schema.names) <= set(known):
            known = query.schema(query.feeds()).names
        for name in schema.names:
            if name not in known:
                raise ValueError(f"streammap: there is no column {name!r}; there are {', '.join(known)}")
        return query.projected(schema.names)

    def writer(self, schema: spark.StructType, overwrite: bool) -> DataSourceWriter:
        raise ValueError("streammap: it reads feeds and writes none: write with a format of Spark's own, as .write.parquet(…) or .write.json(…)")
