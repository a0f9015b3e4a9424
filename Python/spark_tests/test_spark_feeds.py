"""Where feeds are: folders whose names are columns, addresses of fsspec's file systems, and names of feeds as a column."""

import pickle

import fsspec
import pytest
from pyspark.errors import PySparkException

import streammap.spark
from support import PART, load

SMALL = "streammap: 1\nrecord: { id: { from: id, type: int64 } }\n"


def put(folder, names):
    """A feed of one record in each folder; their identifiers are 0, 1, ..."""
    for number, name in enumerate(names):
        (folder / name).mkdir(parents=True)
        (folder / name / "feed.ndjson").write_bytes(b'{"id":%d}\n' % number)
    return folder


@pytest.mark.parametrize(
    "values",
    [
        ["1", "-2", "007"],
        ["1", "2147483648"],
        ["2147483647", "-2147483648"],
        ["9223372036854775807", "-9223372036854775808"],
        ["1", "2.5"],
        ["2026-11-24", "2024-02-29"],
        ["2026-11-24", "2026-02-30"],
        ["2026-11-24", "7"],
        ["1", "__HIVE_DEFAULT_PARTITION__"],
        ["a", "b%3D c%2F"],
    ],
)
def test_columns_of_folders_are_those_of_sparks_own_readers(spark, tmp_path, values):
    feeds = put(tmp_path, [f"a/key={value}/more=x" for value in values])
    own = spark.read.schema("id bigint").json(str(feeds / "a"))
    frame = load(spark, feeds / "a", SMALL)
    assert frame.dtypes == own.dtypes and frame.columns == ["id", "key", "more"]
    assert frame.orderBy("id").collect() == own.orderBy("id").collect()


def test_the_folders_that_are_columns_are_below_the_path_or_its_base(spark, tmp_path):
    feeds = put(tmp_path, ["day=2026-11-24/hour=1", "day=2026-11-25/hour=2"])
    assert load(spark, feeds, SMALL, partitionColumns=False).columns == ["id"]
    assert load(spark, feeds / "day=2026-11-24", SMALL).columns == ["id", "hour"]
    assert load(spark, feeds / "day=2026-11-24", SMALL, basePath=feeds).columns == ["id", "day", "hour"]
    assert load(spark, f"{feeds}/day=*/hour=*/*.ndjson", SMALL).columns == ["id", "day", "hour"]
    days = load(spark, f"file://{feeds}", SMALL).filter("day = date '2026-11-25'").select("id", "hour").collect()
    assert [tuple(row) for row in days] == [(1, 2)]
    reader = spark.read.format("streammap").option("mapping", SMALL).schema("hour string, day string")
    assert sorted(map(tuple, reader.load(str(feeds)).collect())) == [("1", "2026-11-24"), ("2", "2026-11-25")]


def test_columns_of_folders_that_are_not_alike_are_refused(spark, tmp_path):
    put(tmp_path / "unlike", ["day=1", "other=2"])
    put(tmp_path / "same", ["id=1"])
    put(tmp_path / "twice", ["a=1/a=2"])
    put(tmp_path / "text", ["day=x"])
    for name, options, said in [
        ("unlike", {}, "put the feeds into like folders, or set partitionColumns to false"),
        ("same", {}, "there is another column 'id'"),
        ("twice", {}, "two folders of .* are named a="),
        ("text", {"basePath": tmp_path / "same"}, "is not below the basePath"),
    ]:
        with pytest.raises(PySparkException, match=said):
            load(spark, tmp_path / name, SMALL, **options).count()
        assert options or load(spark, tmp_path / name, SMALL, partitionColumns=False).count() > 0
    for schema, said in [("day int", "named day=x, which is no int32"), ("month int", "there is no column 'month'")]:
        with pytest.raises(PySparkException, match=said):
            spark.read.format("streammap").schema(schema).option("mapping", SMALL).load(str(tmp_path / "text")).count()


def test_the_name_of_the_feed_is_a_column(spark, tmp_path):
    feeds = put(tmp_path, ["day=1", "day=2"])
    (feeds / "day=1" / "feed.ndjson").write_bytes(b'{"id":1}\n{"id":"x"}\n')
    frame = load(spark, feeds, SMALL, columnNameOfInputFile="file", mode="PERMISSIVE")
    assert frame.columns == ["id", "_corrupt_record", "file", "day"]
    first, second = (str(feeds / f"day={day}" / "feed.ndjson") for day in (1, 2))
    # Also a record that cannot be mapped is of a feed, and of a folder.
    assert sorted(map(tuple, frame.collect()), key=str) == [
        (1, None, first, 1), (1, None, second, 2), (None, '{"id":"x"}', first, 1),
    ]  # fmt: skip
    for options, said in [({"columnNameOfInputFile": "id"}, "another name"), ({"rejects": True, "columnNameOfInputFile": "f"}, "leave")]:
        with pytest.raises(PySparkException, match=said):
            load(spark, feeds, SMALL, **options).count()


def test_a_permissive_query_that_ends_early_takes_no_more(spark, feeds, mapping):
    frame = load(spark, feeds["lines"], mapping, mode="PERMISSIVE")
    assert len(frame.limit(5).collect()) == len(frame.take(5)) == 5
    bad = frame.filter("_corrupt_record is not null")
    assert '"none"' in bad.first()["_corrupt_record"]
    # The worker that was left in the middle of a feed reads the next one from its beginning.
    with feeds["lines"].open("rb") as file:
        assert frame.count() == sum(1 for _ in file)


def test_a_feed_at_an_address_is_read_by_executors(spark, tmp_path):
    feeds = put(tmp_path, ["day=1", "day=2"])
    # A file system that fsspec opens by an address, as it opens s3://bucket/feeds.
    for address in (f"local://{feeds}", f"local://{feeds}/day=*/*.ndjson"):
        frame = load(spark, address, SMALL, columnNameOfInputFile="file", storageOptions='{"auto_mkdir":true}')
        assert sorted((row.id, row.day, row.file) for row in frame.collect()) == [
            (day - 1, day, f"file://{feeds}/day={day}/feed.ndjson") for day in (1, 2)
        ]
    assert load(spark, f"local://{feeds}", SMALL).rdd.getNumPartitions() == 2
    assert load(spark, f"local://{feeds}", SMALL, partition_bytes=PART << 4).rdd.getNumPartitions() == 1
    for path, options, said in [
        (f"local://{tmp_path}/none.ndjson", {}, "there is no such"),
        ("none://bucket/feed.ndjson", {}, "none"),
        (f"local://{feeds}", {"storageOptions": "[1]"}, "is an object of JSON"),
        (f"local://{feeds}", {"rejectsTo": "s3://bucket/bad"}, "only feeds may be addresses"),
    ]:
        with pytest.raises(PySparkException, match=said):
            load(spark, path, SMALL, **options).count()


def test_a_feed_in_memory_is_read_where_its_reader_was_sent_to(mapping):
    memory = fsspec.filesystem("memory")
    memory.pipe("/feeds/day=1/[a].ndjson", b'{"id":1}\n{"id":"x"}\n')
    memory.pipe("/feeds/day=2/b.ndjson", b'{"id":2}\n')
    for path in ("memory://feeds", "memory://feeds/day=*"):
        source = streammap.spark.StreamMapSource({"path": path, "mapping": SMALL, "errors": "skip"})
        reader = source.reader(source.schema())
        tasks, reader = pickle.loads(pickle.dumps((reader.partitions(), reader)))
        rows = [row for task in tasks for batch in reader.read(task) for row in batch.to_pylist()]
        assert rows == [{"id": 1, "day": 1}, {"id": 2, "day": 2}]
    memory.rm("/feeds", recursive=True)
