"""Feeds of a store that is not the local disk: a server of S3's on this machine, which executors read as other processes."""

import json

import pytest
from pyspark.errors import PySparkException

import streammap
from support import PART, RECORDS, load
from test_spark import one_process, sums


@pytest.fixture(scope="module")
def store():
    s3fs, server = pytest.importorskip("s3fs"), pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    storage = {"key": "k", "secret": "s", "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"}}
    system = s3fs.S3FileSystem(**storage)
    system.mkdir("feeds")
    yield system, storage
    server.stop()


@pytest.mark.parametrize("kind", ["lines", "document"])
def test_the_parts_of_a_feed_of_a_store_are_read_by_all_executors(spark, store, feeds, mapping, kind):
    system, storage = store
    system.put(str(feeds[kind]), f"feeds/{kind}/{feeds[kind].name}")
    expected, rejected = one_process(feeds[kind], mapping, kind)
    options = {"errors": "skip", "storageOptions": json.dumps(storage)}
    address = f"s3://feeds/{kind}"
    frame = load(spark, address, mapping, kind, **options)
    assert frame.rdd.getNumPartitions() == -(-feeds[kind].stat().st_size // PART)
    assert sums(frame) == expected
    rejects = load(spark, address, mapping, kind, rejects=True, index="always", **options).orderBy("offset").collect()
    assert [(row.record, row.line, row.offset, row.code, row.path) for row in rejects] == [
        (error.record, error.line, error.offset, error.code, error.path) for problem in rejected for error in problem.errors
    ]
    # One process has the same by the same address.
    source = streammap.open(address, mapping, errors="skip", storage_options=storage, **({"records": RECORDS[kind]} if RECORDS[kind] else {}))
    assert source.read_all().num_rows == expected[0]


def test_what_is_wrong_with_a_feed_of_a_store_is_said(spark, store, feeds, mapping):
    system, storage = store
    whole = feeds["lines"].read_bytes()[: 3 * PART]
    system.pipe("feeds/bad/cut.ndjson", whole[: whole.rindex(b"\n") - 9])
    given = {"storageOptions": json.dumps(storage)}
    with pytest.raises(PySparkException, match="s3://feeds/bad/cut.ndjson"):
        load(spark, "s3://feeds/bad", mapping, fields='["name"]', **given).filter("name is not null").count()
    with pytest.raises(PySparkException, match="there is no such"):
        load(spark, "s3://feeds/none/*.ndjson", mapping, **given).count()
