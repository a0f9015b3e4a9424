"""Feeds by all executors of a cluster: the rows of one process, whatever happens to the executors."""

import collections
import gzip
import json
import os
import signal
import subprocess
import threading
import time

import pyarrow
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F
from pyspark.sql import types as T

import streammap
import streammap.spark
from streammap import _spark_query
from support import PART, RECORDS, load

def one_process(feed, mapping, kind="lines"):
    """The counts of one process, and what the rows add up to."""
    rejected = []
    options = {"records": RECORDS[kind]} if RECORDS[kind] else {}
    rows = ids = smalls = tags = 0
    prices = 0
    for batch in streammap.open(feed, mapping, errors="skip", on_reject=rejected.append, **options):
        rows += batch.num_rows
        ids += sum(batch["id"].to_pylist())
        smalls += sum(value or 0 for value in batch["small"].to_pylist())
        tags += sum(map(len, batch["tags"].to_pylist()))
        prices += sum(value for value in batch["price"].to_pylist() if value is not None)
    return (rows, ids, smalls, tags, prices), rejected


def sums(frame):
    row = frame.agg(F.count("*"), F.sum("id"), F.sum("small"), F.sum(F.size("tags")), F.sum("price")).collect()[0]
    return tuple(row)


@pytest.mark.parametrize("kind", ["lines", "document"])
def test_rows_and_rejects_are_those_of_one_process(spark, feeds, mapping, kind):
    expected, rejected = one_process(feeds[kind], mapping, kind)
    frame = load(spark, feeds[kind], mapping, kind, errors="skip")
    assert frame.rdd.getNumPartitions() == -(-feeds[kind].stat().st_size // PART)
    assert sums(frame) == expected
    # With an index, also the numbers and lines are the same.
    rejects = load(spark, feeds[kind], mapping, kind, rejects=True, index="always").orderBy("offset").collect()
    assert [(row.record, row.line, row.offset, row.code, row.path) for row in rejects] == [
        (error.record, error.line, error.offset, error.code, error.path) for problem in rejected for error in problem.errors
    ]
    assert rejects and json.loads(rejects[0].details)["errors"][0]["code"] == "wrongType"


def test_values_of_all_types_are_the_same(spark, feeds, mapping, tmp_path):
    few = tmp_path / "few.ndjson"
    with feeds["lines"].open("rb") as file:
        few.write_bytes(b"".join(line for _, line in zip(range(500), file)))
    rows = [row.asDict(recursive=True) for row in load(spark, few, mapping, partition_bytes=10_000).orderBy("id").collect()]
    expected = streammap.open(few, mapping).read_all().to_pylist()
    assert len(rows) == len(expected) == 500
    for row, other in zip(rows, expected):
        other["more"] = dict(other["more"])
        for one in (row, other):
            one["at"] = one["at"] and one["at"].timestamp()
        assert row == other


def test_several_feeds_folders_and_compressed_ones(spark, mapping, tmp_path):
    path = tmp_path / "m.map.yaml"
    path.write_text(mapping)
    tmp_path = tmp_path / "feeds"
    tmp_path.mkdir()
    line = b'{"id":%d,"tags":["a"]}\n'
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.ndjson").write_bytes(b"".join(line % i for i in range(10)))
    (tmp_path / "sub" / "b.ndjson.gz").write_bytes(gzip.compress(b"".join(line % i for i in range(10, 20))))
    (tmp_path / "sub" / "c.ndjson.zst").write_bytes(pyarrow.compress(b"".join(line % i for i in range(20, 30)), "zstd", asbytes=True))
    (tmp_path / "_SUCCESS").write_bytes(b"no feed")
    (tmp_path / "empty.ndjson").write_bytes(b"")
    for paths in ([str(tmp_path)], [f"file://{tmp_path}"], [str(tmp_path / "*.ndjson"), str(tmp_path / "sub")]):
        frame = spark.read.format("streammap").option("mapping", str(path)).option("format", "ndjson").load(paths)
        assert sorted(row.id for row in frame.select("id").collect()) == list(range(30))


def test_small_feeds_are_read_several_by_one_task(spark, mapping, tmp_path):
    for number in range(200):
        folder = tmp_path / str(number % 2)
        folder.mkdir(exist_ok=True)
        (folder / f"{number // 2}.ndjson").write_bytes(b'{"id":%d}\n{"id":"x"}\n' % number)
    large = tmp_path / "large.ndjson"
    large.write_bytes(b'{"id":1000}\n' * 300_000)
    # As Spark's own readers: each counts as 4 MiB more than it has.
    options = {"partition_bytes": 128 << 20, "format": "ndjson", "errors": "skip"}
    frame = load(spark, tmp_path, mapping, **options)
    assert frame.rdd.getNumPartitions() == 7
    rows = frame.groupBy("id").count().collect()
    assert sorted((row["id"], row["count"]) for row in rows) == [(number, 1) for number in range(200)] + [(1000, 300_000)]
    assert load(spark, tmp_path, mapping, **{**options, "partition_bytes": 1 << 20, "open_cost_bytes": 1}).rdd.getNumPartitions() == 5
    assert load(spark, tmp_path, mapping, **options, rejects_to=str(tmp_path / "_bad")).count() == 300_200
    assert sum(len(file.read_bytes().splitlines()) for file in (tmp_path / "_bad").iterdir()) == 200


def test_an_edited_mapping_is_compiled_again(spark, tmp_path):
    feed, table, path = tmp_path / "feed.ndjson", tmp_path / "table.csv", tmp_path / "m.map.yaml"
    feed.write_bytes(b'{"code":"A"}\n' * 4)
    path.write_text("streammap: 1\nrecord: { name: { from: code, lookup: { file: ./table.csv, key: code, value: name } } }\n")
    # The workers live on between these queries.
    for name in ("first", "second"):
        table.write_text(f"code,name\nA,{name}\n")
        assert {row.name for row in load(spark, feed, str(path)).collect()} == {name}
    # A task that finds other files than the driver saw says so.
    seen = streammap.Mapping(path).digest
    assert _spark_query.compiled(str(path), True, "{}", seen).digest == seen
    table.write_text("code,name\nA,third\n")
    _spark_query.compiled.cache_clear()
    with pytest.raises(ValueError, match="other mapping files than the driver"):
        _spark_query.compiled(str(path), True, "{}", seen)


def test_a_path_of_records_that_does_not_occur_is_an_error(spark, mapping, tmp_path):
    feed = tmp_path / "feed.json"
    feed.write_bytes(b'{"items":[{"id":1}]}')
    with pytest.raises(PySparkException, match=r"did you mean \$\.items\[\*\]\?"):
        load(spark, feed, mapping, records="$.itms[*]").count()
    assert load(spark, feed, mapping, records="$.itms[*]", unseen_paths="ignore").count() == 0
    assert load(spark, feed, mapping, records="$.items[*]").count() == 1


def test_a_view_reads_feeds_and_a_table_is_refused(spark, mapping, tmp_path):
    path, feed = tmp_path / "m.map.yaml", tmp_path / "feed.ndjson"
    path.write_text(mapping)
    feed.write_bytes(b'{"id":1}\n{"id":2}\n')
    spark.sql(f"CREATE TEMPORARY VIEW some USING streammap OPTIONS (mapping '{path}', path '{feed}')")
    assert sorted(row.id for row in spark.sql("SELECT id FROM some").collect()) == [1, 2]
    spark.catalog.dropTempView("some")
    with pytest.raises(PySparkException, match="write CREATE TEMPORARY VIEW"):
        spark.sql(f"CREATE TABLE other USING streammap OPTIONS (mapping '{path}') LOCATION '{feed}'")


def test_a_schema_of_fewer_columns_leaves_the_others_in_the_task(spark, feeds, mapping):
    reader = spark.read.format("streammap").schema("large string, id bigint").option("mapping", mapping).option("errors", "skip")
    frame = reader.load(str(feeds["lines"]))
    assert frame.columns == ["large", "id"]
    assert frame.filter("large is not null").count() > 0
    with pytest.raises(PySparkException, match="there is no column 'nmae'; there are id, name"):
        spark.read.format("streammap").schema("nmae string").option("mapping", mapping).load(str(feeds["lines"])).count()


def test_a_schema_of_fewer_columns_maps_only_these_where_the_first_error_ends_the_query(spark, feeds, mapping):
    # Some records have a wrong id.
    rows = sum(1 for _ in feeds["lines"].open("rb"))
    reader = spark.read.format("streammap").schema("name string").option("mapping", mapping)
    assert reader.load(str(feeds["lines"])).filter("name is null or name is not null").count() == rows
    assert reader.option("fields", '["name","price"]').load(str(feeds["lines"])).count() == rows
    skipped, _ = one_process(feeds["lines"], mapping)
    assert reader.option("errors", "skip").option("fields", "id").schema("id bigint").load(str(feeds["lines"])).count() == skipped[0] < rows


def test_the_modes_are_those_of_spark(spark, feeds, mapping):
    expected, rejected = one_process(feeds["lines"], mapping)
    assert sums(load(spark, feeds["lines"], mapping, mode="dropMalformed")) == expected
    with pytest.raises(PySparkException, match="wrongType|has to be|expected"):
        load(spark, feeds["lines"], mapping, mode="FAILFAST").count()
    lines = feeds["lines"].read_bytes().splitlines()
    for name in ("_corrupt_record", "bad"):
        options = {} if name == "_corrupt_record" else {"columnNameOfCorruptRecord": name}
        frame = load(spark, feeds["lines"], mapping, mode="PERMISSIVE", **options)
        assert frame.columns[-1] == name and frame.count() == len(lines)
        assert sums(frame.filter(F.col(name).isNull())) == expected
        bad = frame.filter(F.col(name).isNotNull())
        assert sorted(row[name].encode() for row in bad.collect()) == sorted(line for line in lines if b'"none"' in line)
        assert bad.filter("id is null and tags is null and box is null").count() == len(rejected) > 0
    # Without its column, the rows are there all the same.
    reader = spark.read.format("streammap").schema("id bigint").option("mapping", mapping).option("mode", "permissive")
    assert reader.load(str(feeds["lines"])).filter("id is null").count() == len(rejected)


def test_options_are_written_as_sparks_own_and_a_write_is_refused(spark, feeds, mapping, tmp_path):
    reader = spark.read.format("streammap").option("mapping", mapping).option("unseenPaths", "ignore").option("mode", "DROPMALFORMED")
    for name in ("partitionBytes", "PARTITIONBYTES"):
        assert reader.option(name, PART).load(str(feeds["lines"])).rdd.getNumPartitions() == -(-feeds["lines"].stat().st_size // PART)
    with pytest.raises(PySparkException, match="it reads feeds and writes none"):
        spark.range(1).write.format("streammap").mode("append").save(str(tmp_path / "out"))


def test_rejects_go_to_a_folder(spark, feeds, mapping, tmp_path):
    expected, rejected = one_process(feeds["lines"], mapping)
    for _ in range(2):
        frame = load(spark, feeds["lines"], mapping, rejects_to=str(tmp_path / "bad"))
        assert sums(frame) == expected
    files = sorted((tmp_path / "bad").iterdir())
    assert len(files) == frame.rdd.getNumPartitions()
    assert sum(len(file.read_bytes().splitlines()) for file in files) == len(rejected)


def test_a_given_index_is_used_and_one_of_another_feed_is_refused(spark, feeds, mapping, tmp_path):
    path = tmp_path / "document.json.smx"
    path.write_text(streammap.index(feeds["document"], mapping, every=PART, records="$.list[*]"))
    expected, _ = one_process(feeds["document"], mapping, "document")
    for given in (path, tmp_path):
        assert sums(load(spark, feeds["document"], mapping, "document", errors="skip", index=str(given))) == expected
    with pytest.raises(PySparkException, match="an index for|one of|was cut"):
        load(spark, feeds["lines"], mapping, "lines", index=str(path)).count()


def test_what_is_wrong_is_said(spark, feeds, mapping, tmp_path):
    packed = tmp_path / "packed.ndjson"
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(3 * PART))
    broken = tmp_path / "broken.json"
    broken.write_bytes(feeds["document"].read_bytes()[: 3 * PART])
    for options, said in [
        ({}, "wrongType|has to be|expected"),
        ({"errors": "skip", "kind": "document", "feed": broken}, "truncated|ends"),
        ({"feed": packed}, r"compressed \(zstandard\): decompress it first"),
        ({"mapping": "streammap: 1\nrecord: { id: { from: id, tpye: int64 } }"}, "tpye"),
        ({"colour": "red"}, "no option"),
        ({"feed": tmp_path / "none.json"}, "No such file"),
        ({"feed": "none://bucket/feed.json"}, "none"),
        ({"rejects": "maybe"}, "true or false"),
        ({"mode": "strict"}, "FAILFAST, DROPMALFORMED, PERMISSIVE, not 'strict'"),
        ({"mode": "FAILFAST", "errors": "skip"}, "keep one of them"),
        ({"mode": "PERMISSIVE", "rejectsTo": "bad"}, "leave rejectsTo out"),
        ({"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "id"}, "another name"),
        ({"columnNameOfCorruptRecord": "bad"}, "is for the mode PERMISSIVE"),
        ({"partitionBytes": 7}, "given twice"),
    ]:
        options = {"feed": feeds["lines"], "mapping": mapping, "kind": "lines", **options}
        with pytest.raises(PySparkException, match=said):
            load(spark, options.pop("feed"), options.pop("mapping"), options.pop("kind"), **options).count()


def executors() -> list[int]:
    """The processes of executors that this test's Spark started."""
    parents: dict[int, list[int]] = collections.defaultdict(list)
    named: set[int] = set()
    for line in subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True).stdout.splitlines():
        pid, parent, arguments = line.split(None, 2)
        parents[int(parent)].append(int(pid))
        if "CoarseGrainedExecutorBackend" in arguments:
            named.add(int(pid))
    found, left = [], [os.getpid()]
    while left:
        children = parents[left.pop()]
        found += [child for child in children if child in named]
        left += children
    return found


def test_an_executor_is_killed_in_the_middle_and_the_result_is_the_same(spark, feeds, mapping):
    expected, _ = one_process(feeds["document"], mapping, "document")
    frame = load(spark, feeds["document"], mapping, "document", errors="skip", partition_bytes=PART // 2)
    # So slow that there is a middle.
    slow = F.udf(lambda number: [number, time.sleep(0.1)][0] if number % 500 == 0 else number, T.LongType())
    result = []
    thread = threading.Thread(target=lambda: result.append(sums(frame.withColumn("id", slow("id")))))
    before = executors()
    assert len(before) == 2
    thread.start()
    tracker = spark.sparkContext.statusTracker()

    def done() -> int:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        return max((stage.numCompletedTasks for stage in stages if stage is not None), default=0)

    deadline = time.monotonic() + 120
    while done() < 3 and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert thread.is_alive()
    os.kill(before[0], signal.SIGKILL)
    thread.join()
    assert result == [expected]
    assert before[0] not in executors()
