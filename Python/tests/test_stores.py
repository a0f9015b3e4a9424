"""Feeds of stores, which are read at any place: their parts are together the feed, and each reads its own bytes."""

import multiprocessing

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from test_parts import PLACES, options, rows
from test_parts import feeds as feeds  # a fixture

import streammap

SMALL = {"streammap": 1, "record": {"id": {"from": "id", "type": "int64"}}}


class Store(MemoryFileSystem):
    """A store that counts what is read of it, fails when it is told to, and may not tell sizes."""

    protocol = "store"
    store, pseudo_dirs = {}, [""]
    read = 0
    failing = False
    tells_sizes = True

    @classmethod
    def _strip_protocol(cls, path):
        return "/" + path.removeprefix("store://").strip("/")

    def _open(self, path, mode="rb", **options):
        # It is the same one each time.
        file = super()._open(path, mode, **options)
        take = type(file).read.__get__(file)
        file.read = lambda size=-1: self._counted(lambda: take(size))
        return file

    def cat_file(self, path, start=None, end=None, **options):
        return self._counted(lambda: MemoryFileSystem.cat_file(self, path, start, end, **options))

    @staticmethod
    def _counted(take):
        if Store.failing:
            raise OSError(5, "the store is gone")
        content = take()
        Store.read += len(content)
        return content

    def size(self, path):
        return super().size(path) if Store.tells_sizes else None


@pytest.fixture
def store():
    fsspec.register_implementation("store", Store, clobber=True)
    made = fsspec.filesystem("store")
    Store.read = 0
    yield made
    Store.failing, Store.tells_sizes = False, True
    Store.store.clear()


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("has_index", [True, False])
def test_parts_of_an_address_are_those_of_the_file(mapping, feeds, store, name, has_index):
    store.pipe(f"/{name}", (feeds / name).read_bytes())
    address, given = f"store://{name}", options(name)
    indices = [None, None]
    if has_index:
        indices = [streammap.index(feed, mapping, every=500, **given) for feed in (feeds / name, address)]
        assert indices[0] == indices[1]
    elif name != "lines.ndjson":
        with pytest.raises(streammap.FeedError, match="index"):
            streammap.parts(address, mapping, 3, **given)
        return
    for count in (1, 2, 7, 100):
        parts = streammap.parts(address, mapping, count, index=indices[1], **given)
        assert parts == streammap.parts(feeds / name, mapping, count, index=indices[0], **given)
        # Also the places of errors are those of the file.
        for part in parts:
            assert rows(address, mapping, part, **given) == rows(feeds / name, mapping, part, **given)


def test_a_part_reads_its_own_bytes(store):
    lines = b"".join(b'{"id":%d}\n' % number for number in range(1_000_000))
    store.pipe("/lines.ndjson", lines)
    made = streammap.Mapping(SMALL)
    parts = streammap.parts("store://lines.ndjson", made, 10)
    assert 0 < Store.read < 100_000
    for part in parts:
        Store.read = 0
        table = streammap.open("store://lines.ndjson", made, part=part).read_all()
        assert table["id"][0].as_py() == lines[: part.start].count(b"\n")
        assert table.num_rows == lines[part.start : part.end].count(b"\n")
        assert len(lines) // 10 - 100 < Store.read < len(lines) // 10 + 50_000


@pytest.mark.parametrize("change", ["grown", "shorter", "shifted"])
def test_a_feed_of_a_store_that_has_changed_since_it_was_cut_is_refused(store, change):
    feed, line = b"".join(b'{"id":%d}\n' % (100_000 + number) for number in range(50_000)), b'{"id":100000}\n'
    store.pipe("/feed.ndjson", feed)
    made = streammap.Mapping(SMALL)
    parts = streammap.parts("store://feed.ndjson", made, 3)
    store.pipe("/feed.ndjson", {"grown": feed + line, "shorter": feed[: -len(line)], "shifted": line + feed[: -len(line)]}[change])
    for part in parts:
        with pytest.raises(streammap.FeedError) as raised:
            streammap.open("store://feed.ndjson", made, part=part).read_all()
        assert raised.value.code == "invalidDefinition"


def test_what_a_store_raises_comes_through(store):
    store.pipe("/lines.ndjson", b"".join(b'{"id":%d}\n' % number for number in range(200_000)))
    made = streammap.Mapping(SMALL)
    parts = streammap.parts("store://lines.ndjson", made, 2)

    def fails(call):
        with pytest.raises(OSError, match="the store is gone") as raised:
            call()
        assert raised.value.errno == 5

    reader = streammap.open("store://lines.ndjson", made.with_options(batch_rows=10), part=parts[1]).reader()
    reader.read_next_batch()
    Store.failing = True
    fails(reader.read_all)
    fails(streammap.open("store://lines.ndjson", made, part=parts[1]).read_all)
    fails(lambda: streammap.parts("store://lines.ndjson", made, 2))
    fails(lambda: streammap.index("store://lines.ndjson", made))


def test_what_cannot_be_cut_is_refused(store, feeds):
    made = streammap.Mapping(SMALL)
    store.pipe({"/in/a.ndjson": b'{"id":1}\n', "/in/b.ndjson": b'{"id":2}\n'})
    with pytest.raises(ValueError, match="is 2 feeds: cut one at a time"):
        streammap.parts("store://in/", made, 2)
    with pytest.raises(FileNotFoundError):
        streammap.parts("store://in/none.ndjson", made, 2)
    with pytest.raises(ValueError, match="storage_options are for addresses"):
        streammap.parts(feeds / "lines.ndjson", made, 2, storage_options={"key": "x"})
    Store.tells_sizes = False
    with pytest.raises(streammap.FeedReadError, match="nothing tells how large it is"):
        streammap.parts("store://in/a.ndjson", made, 2)


def total(source) -> int:
    return sum(source.read_all()["id"].to_pylist())


def test_processes_read_the_parts_of_a_feed_of_a_store(tmp_path):
    """A server of S3's on this machine."""
    s3fs, server = pytest.importorskip("s3fs"), pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        storage = {"key": "k", "secret": "s", "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"}}
        system = s3fs.S3FileSystem(**storage)
        system.mkdir("parts")
        records = [b'{"id":%d}' % number for number in range(200_000)]
        system.pipe({"parts/lines.ndjson": b"\n".join(records), "parts/list.json": b'{"list":[' + b",\n".join(records) + b"]}"})
        for name, given in (("lines.ndjson", {}), ("list.json", {"records": "$.list[*]"})):
            address, made = f"s3://parts/{name}", streammap.Mapping(SMALL, **given)
            index = streammap.index(address, made, every=100_000, storage_options=storage) if given else None
            parts = streammap.parts(address, made, 4, index=index, storage_options=storage)
            sources = [streammap.open(address, made, part=part, storage_options=storage) for part in parts]
            for method in ("fork", "spawn"):
                with multiprocessing.get_context(method).Pool(2) as pool:
                    sums = pool.map_async(total, sources).get(timeout=120)
                assert sum(sums) == sum(range(200_000)) and min(sums) > 0
    finally:
        server.stop()


def test_a_file_by_an_address_has_parts(tmp_path):
    path = tmp_path / "lines.ndjson"
    path.write_bytes(b'{"id":1}\n{"id":2}\n{"id":3}\n')
    parts = streammap.parts(f"local://{path}", SMALL, 3)
    assert [total(streammap.open(f"local://{path}", SMALL, part=part)) for part in parts] == [1, 2, 3]

