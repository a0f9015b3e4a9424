"""A mapping for a feed without a description."""

import io

import pytest

import streammap

FEED = b''.join(b'{"id":%d,"at":"2026-11-%02dT00:00:00Z","tags":["a"],"box":{"w":%d.5}}\n' % (i, i % 28 + 1, i) for i in range(50))


def test_an_inferred_mapping_takes_the_feed_it_is_of(tmp_path):
    text = streammap.infer(FEED)
    table = streammap.open(FEED, text).read_all()
    assert table.num_rows == 50
    assert [str(table.schema.field(name).type) for name in ("id", "at")] == ["int64", "timestamp[us, tz=UTC]"]
    path = tmp_path / "feed.ndjson"
    path.write_bytes(FEED)
    lines = text.splitlines()[1:]
    for feed in (path, str(path), io.BytesIO(FEED), iter([FEED[:7], b"", FEED[7:]])):
        assert streammap.infer(feed).splitlines()[1:] == lines


def test_the_records_of_a_document_are_found_or_given():
    document = b'{"a":[{"x":1},{"x":2}],"b":[1]}'
    assert "$.a[*]" in streammap.infer(document)
    assert "$.b[*]" in streammap.infer(document, records="$.b[*]")


def test_no_more_is_read_than_is_looked_at():
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield b'{"id":1}\n' * 10_000

    assert "first 5 records" in streammap.infer(endless(), format="ndjson", sample_records=5)
    assert len(taken) < 100


def test_feeds_without_records_and_wrong_options_are_errors():
    for feed in (b"", b" \n", b"["):
        with pytest.raises(streammap.FeedError):
            streammap.infer(feed)
    for options in ({"records": "$.["}, {"format": "xml"}, {"sample_records": 0}):
        with pytest.raises(streammap.MappingError):
            streammap.infer(FEED, **options)
    with pytest.raises(FileNotFoundError):
        streammap.infer("/none.json")

    def broken():
        yield b'{"id":1}\n'
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        streammap.infer(broken())
