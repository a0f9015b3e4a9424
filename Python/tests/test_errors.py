"""What goes wrong is an exception with an address, never a crash."""

import gc
import os
import random
import subprocess
import sys
import textwrap

import pytest

import streammap

BAD = b'{"id":1}\n{"id":"x"}\n{"id":3}\n'


def test_a_record_that_fails_ends_the_feed_with_its_address(mapping):
    reader = streammap.open(BAD, mapping, format="ndjson").reader()
    assert reader.read_next_batch().num_rows == 1
    with pytest.raises(streammap.FeedError) as raised:
        reader.read_next_batch()
    error = raised.value
    assert (error.code, error.record, error.path, error.line, error.column) == ("wrongType", 2, "$.id", 2, 7)
    assert error.offset == 15 and "line 2" in str(error)
    assert error.problem.details["errors"][0]["code"] == "wrongType"


@pytest.mark.parametrize("jobs", [1, 2])
def test_rejects_are_told_one_by_one(mapping, jobs):
    problems = []
    table = streammap.open(BAD, mapping, format="ndjson", errors="reject", jobs=jobs, on_reject=problems.append).read_all()
    assert table["id"].to_pylist() == [1, 3]
    assert [(problem.record, problem.line) for problem in problems] == [(2, 2)]


def test_a_budget_ends_the_feed(mapping):
    text = mapping + "errors: { mode: skip, max: 1 }\n"
    with pytest.raises(streammap.FeedError, match="more than 1 records"):
        streammap.open(BAD * 3, text, format="ndjson").read_all()


def test_mistakes_in_a_mapping_have_their_lines():
    with pytest.raises(streammap.MappingError) as raised:
        streammap.Mapping("streammap: 1\nrecord:\n  id: { from: id, tpye: int64 }\n  b: { from: b, type: int65 }\n")
    mistakes = raised.value.mistakes
    assert [mistake["line"] for mistake in mistakes] == [3, 4]
    assert mistakes[0]["suggestion"] == "type"
    assert streammap.check("streammap: 1\nrecord: { id: id }") == []
    assert len(streammap.check("streammap: 1\nrecord: { id: { from: \"a[\" } }")) == 1
    assert streammap.check("streammap: 1\n: [") and streammap.check("{") and streammap.check("/none.yaml")


@pytest.mark.parametrize(
    "options",
    [
        {"jobs": 0}, {"jobs": 65}, {"batch_rows": 0}, {"format": "xml"}, {"errors": "ignore"}, {"records": "$.["},
        {"limits": {"depht": 1}}, {"limits": {"depth": 0}}, {"decimal_scale": 39}, {"decimal_scale": True},
        {"timestamp_unit": "ms"}, {"timestamp_unit": 9},
        {"arguments": {"no": "such"}},
    ],
)
def test_wrong_options_are_errors(mapping, options):
    with pytest.raises(streammap.MappingError):
        streammap.Mapping(mapping, **options)


def test_exceptions_of_the_feed_come_through(mapping):
    def broken():
        yield b'{"id":1}\n'
        raise KeyError("mine")

    reader = streammap.open(broken(), mapping, format="ndjson")
    with pytest.raises(KeyError, match="mine"):
        reader.read_all()
    # A file in text mode gives texts.
    with open(os.devnull) as feed, pytest.raises(TypeError):
        streammap.open(feed, mapping).read_all()


def test_exceptions_of_on_reject_come_through(mapping):
    def stop(problem):
        raise RuntimeError(f"record {problem.record}")

    with pytest.raises(RuntimeError, match="record 2"):
        streammap.open(BAD, mapping, format="ndjson", errors="skip", on_reject=stop).read_all()


def test_a_missing_file_is_an_error(mapping, tmp_path):
    with pytest.raises(streammap.FeedError, match="No such file"):
        streammap.open(tmp_path / "none.json", mapping)
    with pytest.raises(streammap.FeedError, match="no feed in the folder"):
        streammap.open(tmp_path, mapping)


@pytest.mark.parametrize("feed", [b'{"id":1}\n{"id":', b'[{"id":1},', b'{"id":1', b"{", b'"', b"\xff\xfe", b'{"id":1}x', b"[" * 100000])
def test_truncated_and_malformed_feeds_are_errors(mapping, feed):
    for jobs in (1, 2):
        with pytest.raises(streammap.FeedError):
            streammap.open(feed, mapping, jobs=jobs).read_all()


def test_random_damage_is_an_error_or_rows(mapping):
    source = random.Random(7)
    good = b'{"id":1,"name":"a\\u00e9","tags":["x"],"box":{"w":1.5},"price":9.90,"raw":[{"a":null}]}\n' * 3
    for _ in range(300):
        feed = bytearray(good)
        for _ in range(source.randint(1, 4)):
            place = source.randrange(len(feed))
            feed[place] = source.randrange(256)
        if source.random() < 0.3:
            del feed[source.randrange(len(feed)) :]
        try:
            table = streammap.open(bytes(feed), mapping, errors="skip", jobs=source.choice([1, 2])).read_all()
            table.validate(full=True)
        except streammap.FeedError as error:
            assert error.problem.message


def test_limits_bound_what_a_feed_asks_for(mapping):
    with pytest.raises(streammap.FeedError) as raised:
        streammap.open(b'{"id":1,"name":"' + b"x" * 100 + b'"}', mapping, limits={"string": 50}).read_all()
    assert raised.value.code == "limitExceeded"


def test_readers_may_be_left_open(mapping):
    for _ in range(50):
        reader = streammap.open(iter([b'{"id":1}\n'] * 100), mapping, format="ndjson", batch_rows=1).reader()
        reader.read_next_batch()
        del reader
    gc.collect()
    batches = [streammap.open(b'{"id":1}', mapping).reader().read_next_batch() for _ in range(10)]
    gc.collect()
    assert [batch["id"].to_pylist() for batch in batches] == [[1]] * 10


@pytest.mark.parametrize("ending", ["", "sys.exit(3)", "raise RuntimeError", "os._exit(0)", "threading.Thread(target=reader.read_next_batch).start()"])
def test_the_interpreter_may_exit_with_open_streams(mapping, ending):
    code = f"""
        import os, sys, threading, streammap
        def feed():
            while True:
                yield b'{{"id":1}}\\n' * 100
        reader = streammap.open(feed(), {mapping!r}, format="ndjson", batch_rows=10, jobs=2).reader()
        other = streammap.open(feed(), {mapping!r}, format="ndjson", batch_rows=10).reader()
        reader.read_next_batch(); other.read_next_batch()
        batch = reader.read_next_batch()
        {ending}
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, timeout=60)
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    assert b"Fatal" not in done.stderr and b"Segmentation" not in done.stderr
