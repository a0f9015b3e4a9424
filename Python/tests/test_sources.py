"""Sources: what they are of, and that each reading begins at the beginning."""

import array
import asyncio
import functools
import gzip
import io
import mmap
import multiprocessing
import os
import pathlib
import pickle
import threading

import pyarrow as pa
import pytest
from support import lines

import streammap

SMALL = {"streammap": 1, "input": {"format": "ndjson"}, "record": {"id": {"from": "id", "type": "int64"}}}
FEED = b'{"id":1}\n{"id":2}\n{"id":3}\n'


def ids(source) -> list:
    return source.read_all()["id"].to_pylist()


@pytest.fixture
def folder(tmp_path):
    """Five feeds, two of them in a folder of the folder, and what is none."""
    (tmp_path / "b").mkdir()
    for number, name in enumerate(["a1.ndjson", "a2.ndjson.gz", "b/b1.ndjson", "b/b2.json", "c.ndjson"]):
        content = b'{"id":%d}\n' % number
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    for name in [".hidden", "_SUCCESS", "a1.ndjson.smx", "b/.crc"]:
        (tmp_path / name).write_bytes(b"no feed")
    return tmp_path


# --- What a source is of.


def test_a_source_is_of_paths_patterns_folders_and_lists(folder):
    def read(source):
        opened = streammap.open(source, SMALL)
        assert ids(opened) == ids(opened) and opened.summary.feeds == len(opened.feeds)
        return ids(opened)

    assert read(folder) == read(str(folder)) == read(folder.as_uri()) == [0, 1, 2, 3, 4]
    assert read(folder / "a*.ndjson*") != read(folder / "a?.ndjson") == [0]
    assert read(f"{folder}/**/*.ndjson") == [0, 2, 4]
    assert read([folder / "c.ndjson", str(folder / "b"), FEED]) == [4, 2, 3, 1, 2, 3]
    assert read((folder / "c.ndjson",)) == read(os.fsencode(folder / "c.ndjson").decode()) == [4]
    assert streammap.open([folder / "c.ndjson", FEED], SMALL).feeds == [str(folder / "c.ndjson"), ""]
    assert ids(streammap.open([], SMALL)) == []


def test_a_name_with_the_signs_of_a_pattern_is_a_name_where_there_is_such_a_file(tmp_path):
    (tmp_path / "[1].ndjson").write_bytes(FEED)
    (tmp_path / "1.ndjson").write_bytes(b"")
    assert ids(streammap.open(tmp_path / "[1].ndjson", SMALL)) == [1, 2, 3]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="file systems of macOS take only UTF-8")
def test_a_path_that_is_no_text_is_read(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.ndjson"
    with open(path, "wb") as file:
        file.write(FEED)
    for given in (pathlib.Path(os.fsdecode(path)), os.fsdecode(path), tmp_path):
        assert ids(streammap.open(given, SMALL)) == [1, 2, 3]


@pytest.mark.parametrize("source", ["none.ndjson", "none*.ndjson", "none/", "empty", ["none.ndjson"], "file:///none.ndjson"])
def test_where_there_is_no_feed_a_source_says_so_at_once(tmp_path, source, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(streammap.FeedNotFoundError) as raised:
        streammap.open(source, SMALL)
    assert isinstance(raised.value, FileNotFoundError) and raised.value.errno == 2 and "no" in str(raised.value)


def test_a_source_is_of_anything_that_has_bytes(tmp_path):
    (tmp_path / "feed").write_bytes(FEED)
    with open(tmp_path / "feed", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (FEED, bytearray(FEED), memoryview(FEED), pa.py_buffer(FEED), mapped, file, io.BytesIO(FEED), io.BufferedReader(io.BytesIO(FEED))):
            opened = streammap.open(source, SMALL)
            assert ids(opened) == ids(opened) == [1, 2, 3]
    for wrong in (7, None, object(), io.StringIO("{}"), array.array("d", [1.0]).tolist()):
        with pytest.raises(TypeError):
            streammap.open(wrong, SMALL).read_all()


def test_a_pipe_is_read_by_its_path(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    thread = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(FEED,))
    thread.start()
    assert ids(streammap.open(tmp_path / "pipe", SMALL)) == [1, 2, 3]
    thread.join()


def test_a_file_is_read_again_from_where_it_was():
    file = io.BytesIO(b"not a feed\n" + FEED)
    file.readline()
    source = streammap.open(file, SMALL)
    assert ids(source) == ids(source) == [1, 2, 3] and not file.closed


def test_what_can_be_read_once_says_so_the_second_time():
    source = streammap.open(iter([FEED]), SMALL)
    assert source.schema.names == ["id"] and pa.schema(source) == source.schema
    assert ids(source) == [1, 2, 3]
    with pytest.raises(ValueError, match="a list_iterator can be read once: for more, give a path, bytes, or a function"):
        ids(source)


def test_a_function_opens_its_feed_for_each_reading():
    opened = []

    def feed():
        opened.append(io.BytesIO(FEED))
        return opened[-1]

    source = streammap.open(feed, SMALL)
    assert opened == [] and ids(source) == ids(source) == [1, 2, 3]
    assert len(opened) == 2 and all(file.closed for file in opened)
    assert ids(streammap.open(lambda: FEED, SMALL)) == ids(streammap.open(lambda: iter([FEED]), SMALL)) == [1, 2, 3]


# --- Addresses.


@pytest.fixture
def memory():
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe({"/feeds/a.ndjson": FEED, "/feeds/b.ndjson.gz": gzip.compress(FEED), "/feeds/_SUCCESS": b"", "/feeds/.x/c": b"no"})
    yield system
    system.rm("/feeds", recursive=True)


def test_a_source_is_of_addresses(memory, folder):
    for address, count in [("memory://feeds/a.ndjson", 1), ("memory://feeds/*.ndjson*", 2), ("memory://feeds", 2), ("memory://feeds/", 2)]:
        source = streammap.open(address, SMALL)
        assert ids(source) == ids(source) == [1, 2, 3] * count, address
        assert len(source.feeds) == count and source.feeds[0] == "memory:///feeds/a.ndjson" or count == 1
    assert ids(streammap.open(f"local://{folder}", SMALL)) == [0, 1, 2, 3, 4]
    assert ids(streammap.open(["memory://feeds/a.ndjson", folder / "c.ndjson"], SMALL)) == [1, 2, 3, 4]
    assert "type: int64" in streammap.infer("memory://feeds/a.ndjson")
    for missing in ("memory://feeds/none", "memory://none/*.ndjson", "memory://none/"):
        with pytest.raises(FileNotFoundError) as raised:
            streammap.open(missing, SMALL)
        assert isinstance(raised.value, streammap.FeedNotFoundError) and missing in str(raised.value)
    with pytest.raises(ValueError, match="storage_options are for addresses"):
        streammap.open(FEED, SMALL, storage_options={"key": "x"})


def test_a_reject_names_the_address(memory):
    memory.pipe("/feeds/a.ndjson", b'{"id":"x"}')
    with pytest.raises(streammap.FeedError, match=r"^memory:///?feeds/a\.ndjson: ") as raised:
        streammap.open("memory://feeds/a.ndjson", SMALL).read_all()
    assert raised.value.problem.feed.endswith("feeds/a.ndjson")


def test_files_of_a_store_are_read(tmp_path):
    """A server of S3's on this machine."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        options = {"key": "k", "secret": "s", "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"}}
        import s3fs

        store = s3fs.S3FileSystem(**options)
        store.mkdir("bucket")
        many = b"".join(b'{"id":%d}\n' % number for number in range(1_000_000))
        store.pipe({"bucket/in/many.ndjson": many, "bucket/in/packed.ndjson.gz": gzip.compress(FEED), "bucket/in/_SUCCESS": b""})
        source = streammap.open("s3://bucket/in/*.ndjson*", SMALL, storage_options=options)
        for _ in range(2):
            assert source.read_all().num_rows == 1_000_003
        assert source.feeds == ["s3://bucket/in/many.ndjson", "s3://bucket/in/packed.ndjson.gz"]
        assert streammap.open("s3://bucket/in/", SMALL, storage_options=options).read_all().num_rows == 1_000_003
        with pytest.raises(FileNotFoundError):
            streammap.open("s3://bucket/none.ndjson", SMALL, storage_options=options)
        # Another process has connections of its own.
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(1) as pool:
                assert pool.apply_async(total, (streammap.open("s3://bucket/in/packed.ndjson.gz", SMALL, storage_options=options),)).get(timeout=60) == 6
    finally:
        server.stop()


# --- Who reads.


def total(source) -> int:
    return sum(ids(source))


def opened() -> bytes:
    return FEED


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_sources_go_to_other_processes(method, folder):
    sources = [
        streammap.open(folder, SMALL), streammap.open(FEED, SMALL), streammap.open(opened, SMALL),
        streammap.open(functools.partial(open, folder / "c.ndjson", "rb"), SMALL).select(["id"]),
    ]  # fmt: skip
    # It may have been read before.
    assert list(map(total, sources)) == [10, 6, 6, 4]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(total, sources).get(timeout=60) == [10, 6, 6, 4]
        wrong = streammap.open(b'{"id":"x"}', SMALL)
        with pytest.raises(streammap.FeedError, match=r"\$\.id"):
            pool.apply_async(total, (wrong,)).get(timeout=60)
        for once in (io.BytesIO(FEED), iter([FEED])):
            with pytest.raises(TypeError, match="cannot be pickled: give a path, bytes, or a function"):
                pool.apply_async(total, (streammap.open(once, SMALL),)).get(timeout=60)


def test_threads_read_one_source(folder):
    import concurrent.futures

    source = streammap.open(folder, SMALL)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert set(pool.map(total, [source] * 32)) == {10}


def test_a_source_is_a_stream_of_arrow_each_time(folder):
    source = streammap.open(folder, SMALL)
    for _ in range(2):
        assert pa.table(source)["id"].to_pylist() == pa.RecordBatchReader.from_stream(source).read_all()["id"].to_pylist() == [0, 1, 2, 3, 4]
        assert sum(batch.num_rows for batch in source) == 5


def test_batches_come_to_asynchronous_code():
    async def read():
        source = streammap.open(FEED * 100, SMALL, batch_rows=50)
        rows = [batch.num_rows async for batch in source]
        async for _ in source:
            break
        ticks = []

        async def tick():
            while True:
                ticks.append(None)
                await asyncio.sleep(0)

        # The loop continues while a feed is waited for.
        waiting, other = threading.Event(), asyncio.create_task(tick())

        def feed():
            assert waiting.wait(60)
            yield FEED

        task = asyncio.create_task(anext_of(streammap.open(feed, SMALL)))
        while len(ticks) < 10:
            await asyncio.sleep(0)
        waiting.set()
        assert (await task).num_rows == 3
        other.cancel()
        with pytest.raises(streammap.FeedError):
            async for _ in streammap.open(b"{", SMALL):
                pass
        return rows

    assert asyncio.run(read()) == [50] * 6


async def anext_of(source):
    async for batch in source:
        return batch


# --- What is said of a reading.


def test_a_summary_has_counts_and_what_was_not_found(folder):
    mapping = {**SMALL, "record": {**SMALL["record"], "name": {"from": "nmae", "type": "string", "nullable": True}}}
    source = streammap.open([b'{"id":1,"name":"a"}\n{"id":"x"}\n', b'{"id":2,"name":"b"}\n'], mapping, errors="skip")
    assert source.summary == streammap.Summary()
    with pytest.warns(streammap.UnfoundWarning, match="nmae never occurred") as warned:
        source.read_all()
    assert warned[0].filename == __file__
    summary = source.summary
    assert (summary.mapped, summary.rejected, summary.records, summary.feeds, summary.is_complete) == (2, 1, 3, 2, True)
    assert summary.unfound == ("nmae never occurred; did you mean name?",)
    # What one of the feeds has is found.
    source = streammap.open([b'{"id":1}\n', b'{"id":2,"nmae":"b"}\n'], mapping)
    source.read_all()
    assert source.summary.unfound == ()
    # A reading that is given up is not complete.
    for batch in streammap.open(FEED, SMALL, batch_rows=1):
        break
    with streammap.open(FEED, SMALL, batch_rows=1).reader() as reader:
        reader.read_next_batch()
        assert not reader.summary.is_complete


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told(tmp_path, jobs):
    path = tmp_path / "feed.ndjson"
    path.write_bytes(FEED * 100_000)
    told = []
    source = streammap.open([path, path], {**SMALL, "where": {"from": "id", "equals": 0}}, on_progress=told.append, jobs=jobs)
    assert source.read_all().num_rows == 0
    sizes = [summary.bytes for summary in told]
    assert sizes == sorted(sizes) and len(told) > 20 and told[-1].bytes == source.summary.bytes == 2 * path.stat().st_size

    def stop(summary):
        if summary.feeds == 2:
            raise RuntimeError(f"after {summary.dropped}")

    with pytest.raises(RuntimeError, match="after 300000"):
        streammap.open([path, path], {**SMALL, "where": {"from": "id", "equals": 0}}, on_progress=stop, jobs=jobs).read_all()


def test_everything_shows_what_it_is(folder):
    path = folder / "c.ndjson"
    mapping = streammap.Mapping(SMALL, errors="skip")
    source = streammap.open([path, FEED, io.BytesIO(FEED), opened], mapping)
    assert repr(source) == f"streammap.open('{path}', <27 bytes>, <BytesIO>, ... 1 more, {mapping!r})"
    assert repr(mapping).startswith("Mapping('{\"streammap\": 1, ") and repr(mapping).endswith(", errors='skip')")
    reader = source.select(["id"]).reader()
    assert repr(reader) == f"<streammap.Reader of '{path}', <27 bytes>, <BytesIO>, ...: not begun, 0 records>"
    reader.read_all()
    assert ": over, 10 records>" in repr(reader)
    assert repr(source.select(["id"])).endswith(".select(['id'])")


def test_columns_are_chosen():
    mapping = {**SMALL, "record": {**SMALL["record"], "b": {"from": "b", "type": "string", "nullable": True}}}
    source = streammap.open(b'{"id":1,"b":"x"}\n{"id":"wrong"}\n', mapping, errors="skip")
    assert source.select(["b"]).read_all().to_pylist() == [{"b": "x"}] and source.select(["b", "id"]).schema.names == ["b", "id"]
    # What is not taken is mapped all the same.
    assert source.select(["b"]).rejects().read_all().num_rows == 1
    with pytest.raises(KeyError, match="there is no column 'c'; there are id, b"):
        source.select(["c"])


def test_an_option_that_is_none_is_an_error_with_the_near_name():
    with pytest.raises(TypeError, match="there is no option 'erors'; did you mean 'errors'"):
        streammap.open(FEED, SMALL, erors="skip")
    with pytest.raises(TypeError, match="a Mapping has its options already"):
        streammap.open(FEED, streammap.Mapping(SMALL), jobs=2)
    for options in ({"timezone": "CET"}, {"rejects": "x.ndjson", "errors": "fail"}):
        with pytest.raises(ValueError, match="timezone|first reject"):
            streammap.open(FEED, SMALL, **options)


def test_a_pickled_source_has_its_options():
    source = pickle.loads(pickle.dumps(streammap.open(FEED, SMALL, batch_rows=2, timezone=None)))
    assert len(list(source)) == 2
