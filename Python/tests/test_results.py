"""What is made of records: frames, dictionaries, files, and rejects."""

import datetime
import decimal
import gzip
import io
import json
import os

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet
from support import lines

import streammap

MAPPING = """
streammap: 1
input: { format: ndjson }
record:
  id: { from: id, type: int64, nullable: true }
  at: { from: at, type: date, nullable: true }
  price: { from: price, type: decimal, nullable: true }
  tags: { from: tags, default: [], each: { object: { n: { from: n, type: int32 }, when: { from: when, type: date } } } }
  more: { from: more, default: {}, map: { type: date } }
  raw: { from: raw, type: json, nullable: true }
"""
FEED = (
    b'{"id":505838547308277761,"at":"2026-11-22T17:45:07.25Z","price":9.90,"tags":[{"n":1,"when":"2026-01-01T00:00:00Z"}],'
    b'"more":{"a":"2026-01-02T00:00:00Z"},"raw":{"x":[1,"y"]}}\n{"id":null}\n'
)
BAD = b'{"id":1}\n{"id":"x","price":"y"}\n{"id":3}\n{"id":[]}\n'


# --- Values.


def test_records_are_dictionaries():
    first, second = streammap.open(FEED, MAPPING).records()
    utc = datetime.timezone.utc
    assert first == {
        "id": 505838547308277761, "at": datetime.datetime(2026, 11, 22, 17, 45, 7, 250000, tzinfo=utc), "price": decimal.Decimal("9.9"),
        "tags": [{"n": 1, "when": datetime.datetime(2026, 1, 1, tzinfo=utc)}], "more": {"a": datetime.datetime(2026, 1, 2, tzinfo=utc)},
        "raw": {"x": [1, "y"]},
    }  # fmt: skip
    assert second == {"id": None, "at": None, "price": None, "tags": [], "more": {}, "raw": None}
    nested = {"streammap": 1, "record": {"l": {"from": "l", "each": {"type": "json"}}, "o": {"from": "o", "object": {"j": {"from": "j"}}}}}
    assert list(streammap.open(b'{"l":[1,{"a":null}],"o":{"j":"t"}}', nested).records()) == [{"l": [1, {"a": None}], "o": {"j": "t"}}]


def test_pandas_gets_no_other_number():
    pandas = pytest.importorskip("pandas")
    frame = streammap.open(FEED, MAPPING).to_pandas()
    assert frame["id"].tolist()[0] == 505838547308277761 and pandas.isna(frame["id"][1])
    assert str(frame["id"].dtype) == "int64[pyarrow]" and str(frame["at"].dtype) == "timestamp[us, tz=UTC][pyarrow]"
    assert streammap.open(FEED, MAPPING).to_pandas(types_mapper=None)["id"].dtype == "float64"


def test_polars_reads_no_more_than_it_is_asked_for():
    polars = pytest.importorskip("polars")
    source = streammap.open(FEED * 1000, MAPPING, batch_rows=10)
    lazy = source.to_polars()
    assert lazy.collect().height == 2000 and lazy.select("raw").head(1).collect().item() == '{"x":[1,"y"]}'
    assert source.summary.mapped < 100 and not source.summary.is_complete
    assert lazy.filter(polars.col("id").is_null()).select("price").collect().height == 1000
    assert lazy.collect().equals(polars.DataFrame(source))


def test_polars_maps_the_columns_of_a_query_where_rows_do_not_depend_on_it():
    polars = pytest.importorskip("polars")
    # The errors are in `id`: they end a reading that needs it.
    lazy = streammap.open(BAD, MAPPING, fields=["id", "raw"]).to_polars()
    assert lazy.select("raw").collect().height == 4
    with pytest.raises((streammap.FeedError, polars.exceptions.ComputeError), match="id"):
        lazy.filter(polars.col("id") == 1).select("raw").collect()
    # Where they are left out, rows are the same whatever columns are asked for.
    for options in ({"errors": "skip"}, {"errors": "reject"}):
        lazy = streammap.open(BAD, MAPPING, **options).to_polars()
        assert lazy.select("raw").collect().height == lazy.collect().height == 2
    # A mapping that needs all its fields is mapped as a whole.
    whole = MAPPING.replace("ndjson }", "ndjson, unknown: fail }")
    lazy = streammap.open(b'{"id":1,"price":2}', whole).to_polars()
    assert lazy.select("price").collect().item() == decimal.Decimal(2)


def test_timestamps_may_name_no_zone():
    with_zone, without = (streammap.open(FEED, MAPPING, **options) for options in ({}, {"timezone": None}))
    assert str(with_zone.schema).count("UTC") == str(without.schema).count("timestamp[us]") > 0 and "UTC" not in str(without.schema)
    assert without.schema.field("at") == pa.field("at", pa.timestamp("us"))
    table = without.read_all()
    table.validate(full=True)
    assert table["at"].to_pylist() == [datetime.datetime(2026, 11, 22, 17, 45, 7, 250000), None]
    assert table["tags"].to_pylist()[0][0]["when"] == datetime.datetime(2026, 1, 1)
    assert pa.table(without) == table


# --- Files.


def test_records_are_written_in_each_form(tmp_path):
    source = streammap.open(FEED, MAPPING)
    text, table = lines(FEED, MAPPING), source.read_all()
    assert [json.loads(line)["id"] for line in text.splitlines()] == [505838547308277761, None]
    for name, read in [
        ("a.ndjson", bytes), ("a.jsonl", bytes), ("a.ndjson.gz", gzip.decompress),
        ("a.ndjson.zst", lambda data: pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()),
    ]:  # fmt: skip
        assert source.write(tmp_path / name).mapped == 2
        assert read((tmp_path / name).read_bytes()) == text, name
    source.write(tmp_path / "a.parquet", compression="zstd")
    assert parquet.read_table(tmp_path / "a.parquet").cast(table.schema) == table
    source.write(str(tmp_path / "a.arrow"))
    assert ipc.open_file(tmp_path / "a.arrow").read_all() == table
    file = io.BytesIO()
    source.write(file, "parquet")
    assert parquet.read_table(io.BytesIO(file.getvalue())).num_rows == 2
    assert sorted(os.listdir(tmp_path)) == ["a.arrow", "a.jsonl", "a.ndjson", "a.ndjson.gz", "a.ndjson.zst", "a.parquet"]


def test_a_file_has_the_whole_result_or_what_it_had(tmp_path):
    path = tmp_path / "out.ndjson"
    path.write_bytes(b"before")
    with pytest.raises(streammap.FeedError):
        streammap.open(BAD, MAPPING).write(path)
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["out.ndjson"]
    for target, form, said in [
        (tmp_path / "out.csv", None, "give form="), (io.BytesIO(), None, "give form="), (tmp_path / "out.parquet.gz", None, "compress inside"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=said):
            streammap.open(FEED, MAPPING).write(target, form)
    with pytest.raises(TypeError, match="no option 'compression' for ndjson"):
        streammap.open(FEED, MAPPING).write(path, compression="zstd")
    with pytest.raises(ValueError, match="have all columns"):
        streammap.open(FEED, MAPPING).select(["id"]).write(path)
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["out.ndjson"]


def test_an_address_is_written():
    fsspec = pytest.importorskip("fsspec")
    streammap.open(FEED, MAPPING).write("memory://out/a.ndjson")
    with pytest.raises(streammap.FeedError):
        streammap.open(BAD, MAPPING).write("memory://out/bad.ndjson")
    system = fsspec.filesystem("memory")
    assert system.cat("/out/a.ndjson") == lines(FEED, MAPPING) and not system.exists("/out/bad.ndjson")
    system.rm("/out", recursive=True)


# --- Rejects.


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("size", [None, 1, 7])
def test_rejects_have_their_own_texts_and_places(tmp_path, jobs, size):
    path = tmp_path / "feed.ndjson"
    # White space, a line that is no JSON, and so much between them that they are in other pieces.
    feed = b'{"id":1}\n  {"id":"\\u00e9"}  \n' + b'{"id":1}\n' * 60_000 + b'{"id":\n{"id":2}\n{"id":false}'
    path.write_bytes(feed)
    given = path if size is None else lambda: (feed[i : i + size * 100_000] for i in range(0, len(feed), size * 100_000))
    found = []
    source = streammap.open(given, MAPPING, errors="reject", raw=True, on_reject=found.append, jobs=jobs)
    assert source.read_all().num_rows == 60_002
    assert [problem.raw for problem in found] == ['{"id":"\\u00e9"}', '{"id":', '{"id":false}']
    for problem in found:
        start, end = problem.span
        assert feed[start:end].decode() == problem.raw
    assert streammap.open(path, MAPPING, errors="skip", on_reject=lambda problem: found.append(problem.raw)).read_all().num_rows == 60_002
    assert found[3:] == [None, None, None]


def test_what_is_redacted_is_in_no_text():
    mapping = MAPPING.replace("price: { from: price,", "price: { from: price, redact: true,")
    found = []
    streammap.open(BAD, mapping, errors="reject", raw=True, on_reject=found.append).read_all()
    assert [problem.raw for problem in found] == [None, None]


def test_rejects_go_into_a_file(tmp_path):
    path = tmp_path / "bad.ndjson"
    feeds = [tmp_path / "a.ndjson", tmp_path / "b.ndjson"]
    for feed in feeds:
        feed.write_bytes(BAD)
    source = streammap.open(feeds, MAPPING, rejects=path)
    for _ in range(2):
        assert source.read_all().num_rows == 4 and not [name for name in os.listdir(tmp_path) if name.startswith(".")]
        written = [json.loads(line) for line in path.read_text().splitlines()]
        assert [(reject["file"], reject["record"], reject["raw"]) for reject in written] == [
            (str(feed), record, raw) for feed in feeds for record, raw in [(2, '{"id":"x","price":"y"}'), (4, '{"id":[]}')]
        ]
    # They can be mapped again, once they are corrected.
    corrected = [json.dumps({**json.loads(reject["raw"]), "id": 7, "price": 1}).encode() for reject in written]
    assert streammap.open(b"\n".join(corrected), MAPPING).read_all()["id"].to_pylist() == [7] * 4
    # A file is there where nothing is rejected, too; and what was found before the feed failed.
    assert streammap.open(FEED, streammap.Mapping(MAPPING), rejects=path).read_all().num_rows == 2 and path.read_bytes() == b""
    with pytest.raises(RuntimeError):
        streammap.open(lambda: broken(), MAPPING, rejects=path).read_all()
    assert len(path.read_bytes().splitlines()) == 2
    with streammap.open(BAD, MAPPING, rejects=path, batch_rows=1).reader() as reader:
        reader.read_next_batch()
    assert path.exists() and not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def broken():
    yield BAD
    raise RuntimeError("the connection ended")


@pytest.mark.parametrize("jobs", [1, 2])
def test_rejects_are_columns(jobs):
    source = streammap.open([BAD, BAD * 2], MAPPING, jobs=jobs)
    for _ in range(2):
        table = source.rejects().read_all()
        table.validate(full=True)
        assert table.schema == streammap.REJECTS and table["record"].to_pylist() == [2, 4, 2, 4, 6, 8]
        row = table.to_pylist()[0]
        assert (row["offset"], row["end"], row["line"], row["column"]) == (9, 31, 2, 1) and row["raw"] == '{"id":"x","price":"y"}'
        assert [(error["code"], error["path"], error["column"]) for error in row["errors"]] == [
            ("wrongType", "$.id", 7), ("conversionFailed", "$.price", 19),
        ] or [error["path"] for error in row["errors"]] == ["$.id", "$.price"]  # fmt: skip
    # The source itself is as it was.
    with pytest.raises(streammap.FeedError):
        source.read_all()
    rejects = streammap.open(lambda: broken(), MAPPING).rejects()
    with pytest.raises(Exception, match="the connection ended"):
        rejects.read_all()
    # There are thousands, and few are taken.
    many = streammap.open(BAD * 5000, MAPPING, jobs=jobs).rejects()
    assert many.read_next_batch().num_rows == 1000
    del many
