"""What the command writes as Parquet and Arrow, read back by pyarrow, DuckDB and polars. It is run by Tests/ColumnFiles/run."""
import argparse
import datetime
import decimal
import itertools
import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import random_columns

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAPPING = """
streammap: 1
input: { format: ndjson }
errors: { mode: skip }
record:
  number: { meta: record_number }
  i8: { from: i, type: int8, optionally: null }
  i64: { from: n.i, type: int64, default: -1 }
  u64: { from: u, type: uint64, nullable: true }
  d: { from: d, type: double, nullable: true }
  f: { from: d, type: float, nullable: true }
  dec: { from: dec, type: decimal, nullable: true }
  s: { from: s, type: string }
  kind: { from: kind, type: enum, values: { a: alpha, b: beta, c: gamma } }
  b: { from: b, type: bool, nullable: true }
  at: { from: at, type: date, nullable: true }
  day: { from: at, type: date, as: yyyy-MM-dd, nullable: true }
  raw: { from: raw, type: json, nullable: true }
  list: { from: list, nullable: true, each: { type: int32, nullable: true } }
  nested: { from: nested, default: [], each: { object: { k: { from: k, type: string }, v: { from: v, nullable: true, each: double } } } }
  map: { from: map, nullable: true, map: { type: int64, nullable: true } }
  obj: { from: obj, nullable: true, object: { x: { from: x, type: int16 }, y: { from: y, nullable: true, object: { z: { from: z, type: string } } } } }
"""
PIECES = ["a", "B", "é", "\n", '"', "\\", "/", "\U0001F600", "\u0000", "\u2028", "x" * 40]
MOMENTS = ["2026-11-22T17:45:07Z", "1969-12-31T23:59:59.999999999Z", "2024-02-29T00:00:00+05:30", "0001-01-01T00:00:00Z"]


def record(chance):
    """A record as JSON; one of a hundred cannot be mapped."""
    text = lambda: "".join(chance.choice(PIECES) for _ in range(chance.randrange(6)))
    number = lambda: chance.choice(["0", "-0.0", "1", "-1.5", "1e3", "0.1", "3.4028234e38", "1e-30", repr(chance.uniform(-1e9, 1e9))])
    values = {
        "i": str(chance.randrange(-150, 150)),
        "n": '{"i":%s}' % chance.choice(["1", "-9223372036854775808", "9223372036854775807", "null"]),
        "u": str(chance.choice([0, 18446744073709551615, 42])),
        "d": number(),
        "dec": chance.choice(["0", "9.90", "-1e-10", "1e27", "12345.6789", "-0.0"]),
        "s": json.dumps(text(), ensure_ascii=chance.random() < 0.5),
        "kind": json.dumps(chance.choice("abc")),
        "b": chance.choice(["true", "false"]),
        "at": json.dumps(chance.choice(MOMENTS)),
        "raw": chance.choice(["[1,{}]", '{"a":[null]}', json.dumps(text()), "7"]),
        "list": "[%s]" % ",".join(chance.choice(["1", "null", "-5"]) for _ in range(chance.randrange(4))),
        "nested": "[%s]" % ",".join(
            '{"k":%s,"v":%s}' % (json.dumps(text()), chance.choice(["null", "[1.5,2]", "[]"])) for _ in range(chance.randrange(4))),
        "map": "{%s}" % ",".join('"k%d":%s' % (i, chance.choice(["1", "null"])) for i in range(chance.randrange(3))),
        "obj": '{"x":%d%s}' % (chance.randrange(100), chance.choice(["", ',"y":null', ',"y":{"z":"t"}'])),
    }
    for name in values:
        if name not in ("s", "kind") and chance.random() < 0.1:
            values[name] = "null"
    if chance.random() < 0.01:
        values["s"] = "[]"
    return "{%s}" % ",".join('"%s":%s' % pair for pair in values.items() if pair[0] in ("s", "kind") or chance.random() > 0.05)


def moment(text):
    """A time as it is in a column: in UTC, and digits that are finer than a microsecond are cut off."""
    head, fraction, offset = re.fullmatch(r"(.{19})(?:\.(\d+))?(.+)", text).groups()
    time = datetime.datetime.fromisoformat(head + ("+00:00" if offset == "Z" else offset))
    return time.astimezone(datetime.timezone.utc) + datetime.timedelta(microseconds=int(((fraction or "") + "000000")[:6]))


def is_json(type):
    return isinstance(type, pa.BaseExtensionType)


def value_of(found, type):
    """What a value of the lines is in a column of a type."""
    if is_json(type):
        return None if found is None else json.dumps(found, default=str)
    if found is None:
        return None
    if pa.types.is_timestamp(type):
        return moment(found)
    if pa.types.is_date32(type):
        return datetime.date.fromisoformat(found)
    if pa.types.is_float32(type):
        return struct.unpack("f", struct.pack("f", float(found)))[0]
    if pa.types.is_float64(type):
        return float(found)
    if pa.types.is_decimal(type):
        return decimal.Decimal(found)
    if pa.types.is_list(type):
        return [value_of(element, type.value_type) for element in found]
    if pa.types.is_map(type):
        return {key: value_of(value, type.item_type) for key, value in found.items()}
    if pa.types.is_struct(type):
        return {field.name: value_of(found.get(field.name), field.type) for field in type}
    return found


def same_form(value, type):
    """What a reader gives, in the form of `value_of`."""
    if value is None:
        return None
    if is_json(type):
        return json.dumps(json.loads(value, parse_float=decimal.Decimal), default=str)
    if pa.types.is_map(type):
        pairs = value.items() if isinstance(value, dict) else [tuple(p.values()) if isinstance(p, dict) else p for p in value]
        return {key: same_form(inner, type.item_type) for key, inner in pairs}
    if pa.types.is_list(type):
        return [same_form(element, type.value_type) for element in value]
    if pa.types.is_struct(type):
        return {field.name: same_form(value[field.name], field.type) for field in type}
    if pa.types.is_timestamp(type):
        return value.astimezone(datetime.timezone.utc)
    return value


def compare(name, rows, schema, expected):
    for number, (row, wanted) in enumerate(zip(rows, expected, strict=True), 1):
        for field in schema:
            found, right = same_form(row[field.name], field.type), value_of(wanted.get(field.name), field.type)
            if found != right:
                sys.exit("%s: row %d, %s: found %r, not %r" % (name, number, field.name, found, right))


def stream_map(folder, *arguments):
    run = subprocess.run([command, *arguments], cwd=folder, capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit("%s: %s" % (" ".join(arguments), run.stderr.decode()))
    return run


def rows_of(table):
    """Row after row, in bounded memory."""
    for batch in table.to_batches(max_chunksize=10000):
        yield from batch.to_pylist()


# So many records differ; a longer feed repeats them.
MOST_DISTINCT = 20000


def feeds(options):
    chance = random.Random(options.seed)
    block = "".join(record(chance) + "\n" for _ in range(min(options.records, MOST_DISTINCT)))
    blocks = max(options.records // MOST_DISTINCT, 1)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "feed.ndjson"), "w", encoding="utf-8") as feed:
            for _ in range(blocks):
                feed.write(block)
        pathlib.Path(folder, "m.yaml").write_text(MAPPING)
        given = ["-m", "m.yaml", "feed.ndjson"]
        lines = stream_map(folder, *given, "-o", "lines.ndjson")
        columns = stream_map(folder, *given, "-o", "file.parquet")
        assert (columns.returncode, columns.stderr) == (lines.returncode, lines.stderr), columns.stderr.decode()
        for more in [["--jobs", "2"], ["--jobs", "3", "--parser", "yajl"]]:
            stream_map(folder, *given, "-o", "other.parquet", *more)
            assert pathlib.Path(folder, "other.parquet").read_bytes() == pathlib.Path(folder, "file.parquet").read_bytes(), more
        path = os.path.join(folder, "file.parquet")
        table = pq.read_table(path)
        table.validate(full=True)
        described = stream_map(folder, "schema", "-m", "m.yaml", "--arrow").stdout.decode()
        assert [line.partition(":")[0] for line in described.splitlines() if line[0] != " "] == table.schema.names

        rows = len(table) // blocks

        def expected(count=rows):
            with open(os.path.join(folder, "lines.ndjson"), encoding="utf-8") as lines:
                for line in itertools.islice(lines, count):
                    yield json.loads(line, parse_float=decimal.Decimal)

        def check_rows(name, table):
            """The first block is what the lines say, and all others are equal to it but for their numbers."""
            compare(name, rows_of(table.slice(0, rows)), table.schema, expected())
            assert len(table) == rows * blocks, (name, len(table))
            table = table.drop_columns("number").combine_chunks()
            for place in range(rows, len(table), rows):
                assert table.slice(place, rows).equals(table.slice(0, rows)), (name, place)

        check_rows("Parquet, pyarrow", table)
        duckdb.sql("set timezone = 'UTC'")
        found = duckdb.sql("from '%s' order by number limit %d" % (path, rows))
        compare("Parquet, DuckDB", (dict(zip(found.columns, row)) for row in found.fetchall()), table.schema, expected())
        few = duckdb.sql("select count(*), min(number), max(number) from '%s' where i8 > 100 and kind = 'beta'" % path).fetchall()[0]
        wanted = [r["number"] for r in expected(None) if (r["i8"] or 0) > 100 and r["kind"] == "beta"]
        assert few == (len(wanted), min(wanted, default=None), max(wanted, default=None)), few
        try:
            import polars
        except ImportError:
            print("polars is not installed: it reads nothing back")
        else:
            compare("Parquet, polars", polars.read_parquet(path).head(rows).iter_rows(named=True), table.schema, expected())
        for name, opened in [("file.arrow", pa.ipc.open_file), ("file.feather", pa.ipc.open_file), ("file.arrows", pa.ipc.open_stream)]:
            stream_map(folder, *given, "-o", name)
            check_rows(name, opened(os.path.join(folder, name)).read_all())
        out = subprocess.run([command, *given, "--to", "arrow", "-q"], cwd=folder, stdout=subprocess.PIPE).stdout
        assert out == pathlib.Path(folder, "file.arrows").read_bytes()
        print("%d rows in %d row groups: equal in Parquet (pyarrow, DuckDB, polars) and Arrow" % (
            len(table), pq.ParquetFile(path).metadata.num_row_groups))


def kills(options):
    """A run that is killed leaves what was there, or a whole file."""
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        part = "".join(record(chance) + "\n" for _ in range(2000))
        with open(os.path.join(folder, "feed.ndjson"), "w", encoding="utf-8") as feed:
            for _ in range(20):
                feed.write(part)
        pathlib.Path(folder, "m.yaml").write_text(MAPPING)
        given = ["-m", "m.yaml", "feed.ndjson", "-q"]
        began = time.monotonic()
        stream_map(folder, *given, "-o", "whole.parquet")
        took = time.monotonic() - began
        whole = pathlib.Path(folder, "whole.parquet").read_bytes()
        out = pathlib.Path(folder, "out.parquet")
        ends = {"killed": 0, "whole": 0}
        for number in range(options.kills):
            before = b"old" if number % 2 else None
            out.unlink(missing_ok=True)
            if before:
                out.write_bytes(before)
            run = subprocess.Popen([command, *given, "-o", "out.parquet", "--jobs", str(1 + number % 3)], cwd=folder)
            time.sleep(chance.uniform(0, 1.2 * took))
            run.send_signal(signal.SIGKILL)
            run.wait()
            there = out.read_bytes() if out.exists() else None
            assert there in (before, whole), "a file that is neither old nor whole"
            ends["whole" if there == whole else "killed"] += 1
        # What is left of an interrupted run has an end, so its rows can be read.
        run = subprocess.Popen(
            [command, "-m", "m.yaml", "-q", "-o", "left.parquet"], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdin.write(part.encode())
        run.stdin.flush()
        while not os.path.exists(os.path.join(folder, "left.parquet.partial")):
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        said = run.communicate()[1].decode()
        assert run.returncode == 130 and "what was written is in left.parquet.partial" in said, said
        assert not os.path.exists(os.path.join(folder, "left.parquet"))
        ends["interrupted, with %d rows" % len(pq.read_table(os.path.join(folder, "left.parquet.partial")))] = 1
        print("runs into Parquet: %s" % ", ".join("%d %s" % (count, end) for end, count in ends.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--records", type=int, default=5000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--command", default=ROOT / ".build/debug/stream-map")
    parser.add_argument("parts", nargs="+")
    options = parser.parse_args()
    global command
    command = pathlib.Path(options.command).resolve()
    print("seed %d" % options.seed)
    for part in options.parts:
        {"columns": lambda o: random_columns.run(o.tables, o.seed), "feeds": feeds, "kills": kills}[part](options)


main()
