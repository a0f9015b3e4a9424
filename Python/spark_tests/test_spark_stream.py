"""New feeds of a folder as batches of a streaming query: each feed once, also where the query begins again."""

import json
import os
import time

import fsspec
import pytest
from pyspark.errors import PySparkException
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

import streammap.spark

MAPPING = "streammap: 1\nrecord: { id: { from: id, type: int64 } }\n"


def put(folder, name, *ids, age=0.0):
    """A feed that appears whole, as if it had been changed some seconds ago."""
    draft = folder / f".{name}"
    draft.write_bytes(b"".join(b'{"id":%d}\n' % number for number in ids))
    changed = time.time() - age
    os.utime(draft, (changed, changed))
    draft.rename(folder / name)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "in"
    made.mkdir()
    return made


def run(spark, feeds, kept, **options):
    """Takes all that is there, and continues from the checkpoint; the batches that it ran, each with its rows."""
    reader = spark.readStream.format("streammap").option("mapping", MAPPING)
    for name, value in options.items():
        reader = reader.option(name, value)
    batches = []
    query = (
        reader.load(str(feeds))
        .writeStream.foreachBatch(lambda frame, number: batches.append(sorted(row.id for row in frame.collect())))
        .option("checkpointLocation", str(kept))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return [batch for batch in batches if batch]


def test_new_feeds_are_batches_and_each_is_read_once(spark, folder, tmp_path):
    assert run(spark, folder, tmp_path / "kept") == []
    put(folder, "b.ndjson", 1, 2, age=60)
    put(folder, "a.ndjson", 3)
    assert run(spark, folder, tmp_path / "kept") == [[1, 2, 3]]
    assert run(spark, folder, tmp_path / "kept") == []
    # It came late, and is older than those that were seen.
    put(folder, "c.ndjson", 4, age=600)
    put(folder, "d.ndjson", 5)
    put(folder, "e.ndjson", 6)
    assert run(spark, folder, tmp_path / "kept", maxFilesPerTrigger=1) == [[4], [5], [6]]
    assert run(spark, f"{folder}/*.ndjson", tmp_path / "other") == [[1, 2, 3, 4, 5, 6]]


def test_a_batch_that_failed_runs_again_with_the_same_feeds(spark, folder, tmp_path):
    put(folder, "a.ndjson", 1)

    def fail(frame, number):
        raise OSError("the sink is full")

    frame = spark.readStream.format("streammap").option("mapping", MAPPING).load(str(folder))
    query = frame.writeStream.foreachBatch(fail).option("checkpointLocation", str(tmp_path / "kept")).trigger(availableNow=True).start()
    with pytest.raises(PySparkException, match="the sink is full"):
        query.awaitTermination()
    put(folder, "b.ndjson", 2)
    assert run(spark, folder, tmp_path / "kept") == [[1], [2]]


def reader(feeds, **options):
    source = streammap.spark.StreamMapSource({"path": str(feeds), "mapping": MAPPING, **options})
    return source.streamReader(source.schema())


def rows(one, start, end):
    return [row["id"] for task in one.partitions(start, end) for batch in one.read(task) for row in batch.to_pylist()]


def test_an_offset_forgets_what_is_too_old_to_be_taken_again(folder):
    one = reader(folder, maxFileAge="1h")
    for number in range(20):
        put(folder, f"{number}.ndjson", number, age=100_000 - number)
    # No feed of the first batch is too old.
    first = one.latestOffset(one.initialOffset(), ReadAllAvailable())
    assert len(first["seen"]) == 20 and sorted(rows(one, one.initialOffset(), first)) == list(range(20))
    put(folder, "new.ndjson", 100)
    second = one.latestOffset(first, ReadAllAvailable())
    assert len(second["seen"]) == 1 and rows(one, first, second) == [100]
    assert one.latestOffset(second, ReadAllAvailable()) == second and rows(one, second, second) == []
    put(folder, "late.ndjson", 101, age=1800)
    put(folder, "too-late.ndjson", 102, age=7200)
    third = one.latestOffset(second, ReadAllAvailable())
    assert rows(one, second, third) == [101]
    # A small backlog after another: the oldest come first, and none becomes too old while it waits.
    start, taken = one.initialOffset(), []
    while (end := one.latestOffset(start, ReadMaxFiles(3))) != start:
        taken += rows(one, start, json.loads(json.dumps(end)))
        start = end
    assert sorted(taken) == [*range(20), 100, 101, 102]


def test_a_batch_of_feeds_that_are_gone_or_changed_is_refused(folder):
    one = reader(folder)
    put(folder, "a.ndjson", 1)
    end = one.latestOffset(one.initialOffset(), ReadAllAvailable())
    put(folder, "a.ndjson", 1, 2)
    with pytest.raises(ValueError, match=r"a\.ndjson has changed since its batch began"):
        one.partitions(one.initialOffset(), end)
    (folder / "a.ndjson").unlink()
    with pytest.raises(ValueError, match=r"a\.ndjson is gone, and its batch is not complete"):
        one.partitions(one.initialOffset(), end)


def test_feeds_of_another_file_system_are_a_stream(folder):
    memory = fsspec.filesystem("memory")
    memory.pipe("/stream/day=1/a.ndjson", b'{"id":1}\n')
    one = reader("memory://stream")
    first = one.latestOffset(one.initialOffset(), ReadAllAvailable())
    memory.pipe("/stream/day=2/b.ndjson", b'{"id":2}\n')
    second = one.latestOffset(first, ReadAllAvailable())
    assert rows(one, one.initialOffset(), first) == [1] and rows(one, first, second) == [2]
    memory.rm("/stream", recursive=True)


def test_a_folder_that_does_not_exist_and_a_mistaken_option_are_refused(folder, tmp_path):
    with pytest.raises(OSError, match="none"):
        one = streammap.spark.StreamMapSource({"path": str(tmp_path / "none"), "mapping": MAPPING})
        one.streamReader(one.schema()).latestOffset({"seen": {}}, ReadAllAvailable())
    for options in ({"maxFileAge": "7 days"}, {"maxFilesPerTrigger": "0"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            reader(folder, **options)
