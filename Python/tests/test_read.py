"""Feeds into columns, from everything that a feed can be."""

import datetime
import decimal
import io
import json

import pyarrow as pa
import pytest
from support import lines

import streammap

FEED = b"""\
{"id":1,"name":"Ann","price":9.90,"at":"2026-11-22T17:45:07.25Z","tags":["a","b"],"box":{"w":1.5},"raw":{"x":[1]}}
{"id":2,"name":null}
{"id":3,"name":"B\\u00f6b","price":-0.5,"tags":[],"box":null,"raw":"t"}
"""


def test_rows_are_what_the_feed_says(mapping):
    table = streammap.open(FEED, mapping, format="ndjson").read_all()
    table.validate(full=True)
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [1, 2, 3]
    assert [row["name"] for row in rows] == ["Ann", None, "Böb"]
    assert rows[0]["price"] == decimal.Decimal("9.9") and rows[1]["price"] is None
    assert rows[0]["at"] == datetime.datetime(2026, 11, 22, 17, 45, 7, 250000, tzinfo=datetime.timezone.utc)
    assert rows[0]["tags"] == ["a", "b"] and rows[1]["tags"] == []
    assert rows[0]["box"] == {"w": 1.5} and rows[2]["box"] is None
    assert table.schema.field("id").type == pa.int64() and not table.schema.field("id").nullable
    assert table.schema.field("price").type == pa.decimal128(38, 10)
    assert table.schema.field("at").type == pa.timestamp("us", tz="UTC")
    assert "json" in str(table.schema.field("raw"))


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_iterators_and_files_give_the_same(tmp_path, mapping, size, jobs):
    feed = b"".join(json.dumps({"id": n, "name": "n" * (n % 50)}).encode() + b"\n" for n in range(500))
    path = tmp_path / "feed.ndjson"
    path.write_bytes(feed)
    compiled = streammap.Mapping(mapping, format="ndjson", jobs=jobs, batch_rows=100)
    expected = streammap.open(path, compiled).read_all()
    assert expected.num_rows == 500 and len(expected.to_batches()) == 5
    pieces = [feed[i : i + size] for i in range(0, len(feed), size)]
    assert streammap.open(iter(pieces), compiled).read_all() == expected
    assert streammap.open(io.BytesIO(feed), compiled).read_all() == expected
    assert streammap.open(str(path), compiled).read_all() == expected
    assert streammap.open(bytearray(feed), compiled).read_all() == expected
    with open(path, "rb") as file:
        assert streammap.open(file, compiled).read_all() == expected


def test_an_empty_piece_is_not_the_end(mapping):
    pieces = [b'{"id"', b"", b":1}\n", b"", b'{"id":2}']
    assert streammap.open(iter(pieces), mapping, format="ndjson").read_all().num_rows == 2


def test_empty_feeds_have_a_schema_and_no_rows(mapping):
    for feed in [b"", iter([])]:
        table = streammap.open(feed, mapping).read_all()
        assert table.num_rows == 0 and table.column_names[0] == "id"


def test_records_in_a_document(mapping):
    document = b'{"items":[{"id":1},{"id":2}],"next":null}'
    table = streammap.open(document, mapping, records="$.items[*]").read_all()
    assert table["id"].to_pylist() == [1, 2]


def test_mappings_come_as_paths_texts_and_dictionaries(tmp_path, mapping, root):
    path = tmp_path / "m.map.yaml"
    path.write_text(mapping)
    schema = streammap.Mapping(mapping).schema
    assert streammap.Mapping(path).schema == streammap.Mapping(str(path)).schema == schema
    made = {"streammap": 1, "record": {"id": {"from": "id", "type": "int64"}}}
    assert streammap.Mapping(made).schema == pa.schema([pa.field("id", pa.int64(), nullable=False)])


def test_bytes_are_lines_of_json(mapping):
    text = lines(FEED, {"streammap": 1, "record": {"n": {"from": "id", "type": "int64"}}})
    assert text == b'{"n":1}\n{"n":2}\n{"n":3}\n'


def test_base64_and_decimals_as_texts():
    made = {"streammap": 1, "record": {"p": "p", "d": {"from": "d", "type": "decimal"}, "s": {"from": "s", "type": "string"}}}
    table = streammap.open(b'{"p":1,"d":1.50,"s":"AAE="}', made, decimal_scale=None, binary=["s"]).read_all()
    assert table["s"].to_pylist() == [b"\x00\x01"]
    assert "1.50" in str(table["d"].to_pylist()[0])


def test_times_count_nanoseconds_where_they_are_asked_to():
    made = {
        "streammap": 1,
        "record": {
            "at": {"from": "at", "type": "date"},
            "all": {"from": "all", "each": {"type": "date"}, "on_item_error": "drop", "default": []},
        },
    }
    feed = b"""{"at":"2026-11-22T17:45:07.123456789Z","all":["1969-12-31T23:59:59.999999999Z","1500-01-01T00:00:00Z"]}
{"at":"1500-01-01T00:00:00Z"}
{"at":"2262-04-11T23:47:16.854775807Z"}
"""
    problems: list = []
    source = streammap.open(feed, made, errors="skip", timestamp_unit="ns", timezone=None, on_reject=problems.append)
    table = source.read_all()
    assert table.schema.types == [pa.timestamp("ns"), pa.list_(pa.field("item", pa.timestamp("ns"), nullable=False))]
    assert table["at"].cast(pa.int64()).to_pylist() == [1795369507123456789, 9223372036854775807]
    assert table["all"].combine_chunks().flatten().cast(pa.int64()).to_pylist() == [-1]
    rejected = problems[-1]
    assert (rejected.record, rejected.code, rejected.path) == (2, "invalidValue", "$.at")
    assert "from 1677-09-21 to 2262-04-11" in rejected.message
    # Microseconds reach all years.
    assert streammap.open(feed, made, timestamp_unit="us").schema == streammap.open(feed, made).schema
    assert streammap.open(feed, made).read_all()["at"].cast(pa.int64()).to_pylist()[0] == 1795369507123456


def test_arguments_reach_the_mapping():
    text = "streammap: 1\nargs: { day: string }\nrecord: { day: { arg: day }, id: { from: id, type: int64 } }\n"
    table = streammap.open(b'{"id":1}', text, arguments={"day": "x"}).read_all()
    assert table["day"].to_pylist() == ["x"]


def test_a_mapping_serves_many_threads(mapping):
    import concurrent.futures

    compiled = streammap.Mapping(mapping, format="ndjson")
    feed = b'{"id":1}\n' * 2000
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _: streammap.open(feed, compiled).read_all().num_rows, range(16)))
    assert counts == [2000] * 16
