"""Handles are values that behave: errors and mappings pickle and copy, feeds refuse it, and what is closed is closed."""

import bz2
import copy
import gzip
import io
import lzma
import multiprocessing
import os
import pathlib
import pickle
import threading
import warnings

import pyarrow as pa
import pytest
from support import lines

import streammap

FEED = b'{"id":1}\n{"id":2}\n{"id":3}\n'
SMALL = {"streammap": 1, "record": {"id": {"from": "id", "type": "int64"}}}
PROBLEM = streammap.Problem("wrongType", "it is wrong", "$.id", 2, 15, 18, 2, 7, {"code": "wrongType"})
ERRORS = [
    streammap.StreamMapError, streammap.MappingError, streammap.FeedError, streammap.FeedReadError, streammap.FeedNotFoundError,
]  # fmt: skip


# --- Errors.


@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_are_pickled_and_copied(kind, again):
    error = kind(PROBLEM)
    if isinstance(error, OSError):
        error.errno, error.strerror, error.filename = 2, "No such file", "none.json"
    made = again(error)
    assert type(made) is kind and made.problem == PROBLEM and str(made) == "it is wrong"
    assert (made.code, made.record, made.path, made.line, made.column, made.offset) == ("wrongType", 2, "$.id", 2, 7, 15)
    if isinstance(error, OSError):
        assert (made.errno, made.strerror, made.filename) == (2, "No such file", "none.json")


def fail(kind: str) -> int:
    if kind == "mapping":
        streammap.Mapping("streammap: 1\nrecord: { id: { from: id, tpye: int64 } }\n")
    if kind == "missing":
        streammap.open("/none.json", SMALL)
    return streammap.open(b'{"id":"x"}', SMALL).read_all().num_rows


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_errors_come_out_of_a_pool_of_processes(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        for kind, expected in [
            ("record", streammap.FeedError), ("mapping", streammap.MappingError), ("missing", FileNotFoundError),
        ]:  # fmt: skip
            with pytest.raises(expected) as raised:
                pool.apply_async(fail, (kind,)).get(timeout=60)
            assert raised.value.problem.message


def test_one_rule_says_what_kinds_of_errors_there_are(tmp_path):
    with pytest.raises(ValueError) as raised:
        streammap.Mapping("streammap: 1\nrecord: 7\n")
    assert isinstance(raised.value, streammap.MappingError)
    path = tmp_path / "none.json"
    for open_it in [
        lambda: streammap.open(path, SMALL), lambda: streammap.infer(path), lambda: streammap.index(path, SMALL),
        lambda: streammap.parts(path, SMALL, 2, format="ndjson"), lambda: lines(path, SMALL),
    ]:  # fmt: skip
        with pytest.raises(FileNotFoundError) as missing:
            open_it()
        assert isinstance(missing.value, streammap.FeedNotFoundError) and missing.value.code == "io"
        assert missing.value.filename == str(path) and missing.value.errno == 2
    source = streammap.open(tmp_path / "later", SMALL) if (tmp_path / "later").write_bytes(FEED) else None
    (tmp_path / "later").unlink()
    (tmp_path / "later").mkdir()
    with pytest.raises(OSError) as unreadable:
        source.read_all()
    assert isinstance(unreadable.value, streammap.FeedReadError) and not isinstance(unreadable.value, FileNotFoundError)
    with pytest.raises(streammap.FeedError) as record:
        streammap.open(b'{"id":"x"}', SMALL).read_all()
    assert not isinstance(record.value, (OSError, ValueError))


# --- Mappings.


def rows(mapping: streammap.Mapping) -> list:
    return streammap.open(FEED, mapping).read_all()["id"].to_pylist()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda mapping: pickle.loads(pickle.dumps(mapping))])
def test_mappings_are_pickled_and_copied(again, tmp_path):
    path = tmp_path / "m.map.yaml"
    path.write_text("streammap: 1\nrecord: { id: { from: id, type: int64 } }\n")
    for source in (SMALL, path.read_text(), path, str(path)):
        mapping = streammap.Mapping(source, format="ndjson", batch_rows=2)
        made = again(mapping)
        assert made.schema == mapping.schema and made.digest == mapping.digest
        del mapping
        assert rows(made) == [1, 2, 3] and len(list(streammap.open(FEED, made))) == 2


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_mappings_go_to_other_processes(method):
    mapping = streammap.Mapping(SMALL, format="ndjson")
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(rows, [mapping] * 4).get(timeout=60) == [[1, 2, 3]] * 4


def test_a_mapping_whose_files_changed_is_not_unpickled(tmp_path):
    used, path = tmp_path / "used.map.yaml", tmp_path / "m.map.yaml"
    used.write_text("streammap: 1\nrecord: { w: { from: w, type: int64 } }\n")
    path.write_text("streammap: 1\nuse: { box: ./used.map.yaml }\nrecord: { b: { from: b, use: box } }\n")
    mapping = streammap.Mapping(path)
    assert [pathlib.Path(name).name for name in mapping.files] == ["m.map.yaml", "used.map.yaml"]
    pickled, before = pickle.dumps(mapping), mapping.digest
    assert pickle.loads(pickled).digest == before
    used.write_text("streammap: 1\nrecord: { w: { from: v, type: int64 } }\n")
    assert streammap.Mapping(path).digest != before
    with pytest.raises(streammap.MappingError, match="has changed since it was first read"):
        pickle.loads(pickled)


# --- Feeds.


def test_feeds_refuse_to_be_pickled_and_copied():
    reader = streammap.open(FEED, SMALL, format="ndjson", batch_rows=1).reader()
    reader.read_next_batch()
    for one in (reader, reader._feed):
        for again in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be pickled"):
                again(one)
    assert reader.read_all().num_rows == 2


def test_what_is_closed_is_closed(tmp_path):
    path = tmp_path / "feed.ndjson"
    path.write_bytes(FEED)
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else None
    with streammap.open(path, SMALL, batch_rows=1).reader() as reader:
        assert reader.read_next_batch()["id"].to_pylist() == [1]
        held = pa.RecordBatchReader.from_stream(reader)
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == len(before)
    reader.close()
    for take in (reader.read_next_batch, reader.read_all, lambda: next(reader)):
        with pytest.raises(ValueError, match="the feed is closed"):
            take()
    with pytest.raises((ValueError, pa.ArrowException), match="the feed is closed"):
        held.read_all()
    assert reader.summary.mapped >= 1


def test_a_feed_is_closed_while_it_is_read():
    """By its own callback, and by another thread: the call that is under way ends, and the next one says so."""
    stopped = []

    def stop(problem):
        stopped.append(problem)
        reader.close()

    reader = streammap.open(b'{"id":"x"}\n' * 10, SMALL, format="ndjson", errors="skip", on_reject=stop).reader()
    list(iter_until_closed(reader))
    assert stopped
    waiting, go_on = threading.Event(), threading.Event()

    def feed():
        yield FEED
        waiting.set()
        go_on.wait(60)
        yield FEED

    reader = streammap.open(feed(), SMALL, format="ndjson", batch_rows=4).reader()
    taken = []
    thread = threading.Thread(target=lambda: taken.append(reader.read_next_batch().num_rows))
    thread.start()
    assert waiting.wait(60)
    with pytest.raises(ValueError, match="one thread at a time"):
        reader.read_next_batch()
    reader.close()
    go_on.set()
    thread.join(60)
    assert taken == [4]
    with pytest.raises(ValueError, match="the feed is closed"):
        reader.read_next_batch()


def iter_until_closed(reader):
    try:
        yield from reader
    except ValueError as error:
        assert "closed" in str(error)


def test_a_forked_child_does_not_read_the_feed_of_its_parent(tmp_path):
    path = tmp_path / "feed.ndjson"
    path.write_bytes(b'{"id":1}\n' * 50_000)
    for jobs in (1, 2):
        reader = streammap.open(path, SMALL, jobs=jobs, batch_rows=1000).reader()
        assert reader.read_next_batch().num_rows == 1000
        child = os.fork()
        if child == 0:
            try:
                reader.read_next_batch()
            except RuntimeError as error:
                reader.close()
                del reader
                os._exit(7 if "open it again here" in str(error) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert 1000 + reader.read_all().num_rows == 50_000


def test_a_file_that_has_no_bytes_yet_is_no_end():
    class Waiting(io.RawIOBase):
        pieces = [b'{"id":1}\n', None, b'{"id":2}\n', b""]

        def readable(self):
            return True

        def read(self, size=-1):
            return self.pieces.pop(0)

    reader = streammap.open(Waiting(), SMALL, format="ndjson").reader()
    assert reader.read_next_batch()["id"].to_pylist() == [1]
    with pytest.raises(BlockingIOError, match="gave None"):
        reader.read_next_batch()
    Waiting.pieces = [None]
    with pytest.raises(BlockingIOError):
        streammap.infer(Waiting())


@pytest.mark.parametrize("wrong", ["text", 7, object()])
def test_pieces_that_are_no_bytes_are_an_error_of_their_type(wrong):
    class File:
        def read(self, size):
            return wrong

    for feed in (File(), iter([wrong]), iter([FEED, None])):
        with pytest.raises(TypeError, match="a feed gives bytes"):
            list(streammap.open(feed, SMALL, format="ndjson"))


def test_a_zero_byte_does_not_cut_a_path(tmp_path):
    (tmp_path / "secret").write_bytes(FEED)
    (tmp_path / "m").write_text("streammap: 1\nrecord: { id: id }\n")
    feed, mapping = f"{tmp_path}/secret\0.ndjson", f"{tmp_path}/m\0.yaml"

    class File(io.BytesIO):
        name = feed

    part = streammap.parts(tmp_path / "secret", SMALL, 1)[0]
    cut = streammap.Part(1, 1, 0, 1, True, part.text + "\0")
    for use in [
        lambda: streammap.open(feed, SMALL), lambda: lines(feed, SMALL),
        lambda: streammap.Mapping(mapping), lambda: streammap.index(feed, SMALL), lambda: streammap.parts(feed, SMALL, 1),
        lambda: streammap.infer(feed), lambda: streammap.open(File(FEED), SMALL), lambda: streammap.open(tmp_path / "secret", SMALL, part=cut).read_all(),
        lambda: streammap.parts(tmp_path / "secret", SMALL, 1, index="{}\0"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="null"):
            use()


# --- The notes on a feed.


def test_counts_are_those_of_the_records(mapping):
    text = mapping + "where: { not: { from: id, equals: 3 } }\n"
    feed = b'{"id":1}\n{"id":"x"}\n{"id":3}\n{"id":4}\n'
    for jobs in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", streammap.UnfoundWarning)
            reader = streammap.open(feed, text, format="ndjson", errors="skip", jobs=jobs).reader()
            assert reader.summary == streammap.Summary()
            assert reader.read_all().num_rows == 2
        assert reader.summary == streammap.Summary(2, 1, 1, len(feed), 1, reader.summary.unfound, True)
        assert reader.summary.records == 4
        reader.close()
        assert reader.summary.records == 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_path_of_records_that_does_not_occur_is_an_error(jobs):
    feed = b'{"items":[{"id":1}]}'
    for read in (lambda **o: streammap.open(feed, SMALL, **o).read_all().num_rows, lambda **o: lines(feed, SMALL, **o).count(b"\n")):
        with pytest.raises(streammap.FeedError) as raised:
            read(records="$.itms[*]", jobs=jobs)
        assert (raised.value.code, raised.value.path) == ("unseenPath", "$.itms[*]")
        assert str(raised.value) == "no records: the path $.itms[*] does not occur; did you mean $.items[*]?"
        assert read(records="$.itms[*]", unseen_paths="ignore", jobs=jobs) == 0
        assert read(records="$.items[*]", jobs=jobs) > 0
    assert streammap.open(b'{"items":[]}', SMALL, records="$.items[*]").read_all().num_rows == 0
    # A feed that fails says why, and nothing of paths.
    with pytest.raises(streammap.FeedError) as cut:
        streammap.open(b'{"items":', SMALL, records="$.itms[*]", jobs=jobs).read_all()
    assert cut.value.code == "truncated"


def test_fields_that_found_nothing_are_a_warning_with_the_near_name():
    mapping = {"streammap": 1, "record": {"a": {"from": "idd", "type": "int64", "nullable": True}, "id": {"from": "id", "type": "int64"}}}
    with pytest.warns(streammap.UnfoundWarning, match=r"^idd never occurred; did you mean id\?$"):
        streammap.open(FEED, mapping, format="ndjson").read_all()
    with pytest.warns(streammap.UnfoundWarning, match="idd never occurred"):
        lines(FEED, mapping, format="ndjson")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        streammap.open(FEED, SMALL, format="ndjson").read_all()
        # Not all of it was read.
        reader = streammap.open(FEED, mapping, format="ndjson", batch_rows=1).reader()
        reader.read_next_batch()
        reader.close()


def test_an_array_of_records_has_a_hint():
    with pytest.raises(streammap.FeedError, match=r"its elements are records with records \$\[\*\]"):
        streammap.open(b'[{"id":1}]', SMALL).read_all()


@pytest.mark.parametrize(
    "options, said",
    [
        ({"records": []}, "at least one path"), ({"binary": ["nmae"]}, "no column of texts 'nmae'; did you mean 'name'"),
        ({"binary": ["id"]}, "no column of texts 'id'"), ({"unseen_paths": "no"}, "fail or ignore"),
    ],
)  # fmt: skip
def test_options_that_do_nothing_are_errors(mapping, options, said):
    with pytest.raises(streammap.MappingError, match=said):
        streammap.Mapping(mapping, **options)


def test_a_decimal_that_does_not_fit_its_column_is_told_at_its_own_place():
    mapping = {
        "streammap": 1,
        "record": {
            "p": {"from": "p", "type": "decimal"}, "o": {"from": "o", "type": "decimal", "optionally": 7},
            "l": {"from": "l", "each": {"type": "decimal"}, "on_item_error": "drop"},
        },
    }  # fmt: skip
    feed = b'{"p":1e-11,"o":1,"l":[]}\n{"p":1,"o":1e-11,"l":[1,1e-11,2]}\n'
    for jobs in (1, 2):
        problems = []
        table = streammap.open(feed, mapping, format="ndjson", errors="skip", on_reject=problems.append, jobs=jobs).read_all()
        assert [(p.code, p.path, p.offset, p.end, p.errors[0].details["target"]) for p in problems] == [("numberOutOfRange", "$.p", 5, 10, "p")]
        (row,) = table.to_pylist()
        assert row["o"] == 7 and [int(value) for value in row["l"]] == [1, 2]


# --- Rows are made before columns and lines.


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("arrays, rows", [("explode", ["a", "b", None]), ("{ joined: ',' }", ["a,b", ""])])
def test_what_is_said_of_arrays_makes_rows_of_columns_and_of_lines(arrays, rows, jobs):
    text = "streammap: 1\nrecord: { t: { from: t, each: string } }\noutput: { arrays: " + arrays + " }\n"
    source = streammap.open(b'{"t":["a","b"]}\n{"t":[]}\n', text, format="ndjson", jobs=jobs)
    assert source.read_all().column("t").to_pylist() == rows
    assert [row["t"] for row in source.records()] == rows


# --- Compressed feeds.


def zstandard(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize("ending, packed", [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstandard)])
def test_compressed_feeds_are_decompressed(tmp_path, ending, packed):
    feed = FEED * 40_000
    path = tmp_path / f"feed.ndjson{ending}"
    path.write_bytes(packed(feed))
    with open(path, "rb") as file:
        for source in (path, path.read_bytes(), file, iter([path.read_bytes()[i : i + 7] for i in range(0, 70, 7)] + [path.read_bytes()[70:]])):
            options = {} if source in (path, file) else {"format": "ndjson"}
            source = streammap.open(source, SMALL, **options)
            assert source.read_all().num_rows == 120_000 and source.summary.bytes == len(feed)
    assert "type: int64" in streammap.infer(path)
    path.write_bytes(packed(feed)[:-20])
    with pytest.raises(streammap.FeedReadError, match="ends too early|damaged"):
        streammap.open(path, SMALL).read_all()
