"""One reader, once, into an Arrow table: read.py READER FEED. Prints JSON: seconds, rows, checks, peak memory.

It has one thread, unless its name says two jobs.
"""

import json
import os
import pathlib
import resource
import sys
import time

HERE = pathlib.Path(__file__).resolve().parents[1]
MAPPING = str(HERE / "Mappings/logs.map.yaml")
os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"] = os.environ["ARROW_IO_THREADS"] = "1"


def with_streammap(feed, jobs=1):
    import streammap

    where = {"records": "$[*]"} if feed.endswith(".json") else {}
    mapping = streammap.Mapping(MAPPING, jobs=jobs, **where)
    start = time.perf_counter()
    table = streammap.open(feed, mapping).read_all()
    return time.perf_counter() - start, table.num_rows, table["status"], table["user"]


def with_two_jobs(feed):
    return with_streammap(feed, 2)


def with_pyarrow(feed):
    import pyarrow
    import pyarrow.json

    pyarrow.set_cpu_count(1)
    text, number = pyarrow.string(), pyarrow.int64()
    http = pyarrow.struct([("method", text), ("path", text), ("status", number), ("ms", pyarrow.float64())])
    schema = pyarrow.schema(
        [("time", text), ("level", text), ("service", text), ("trace_id", text), ("user_id", number), ("http", http),
         ("tags", pyarrow.list_(text)), ("message", text)]
    )  # fmt: skip
    start = time.perf_counter()
    table = pyarrow.json.read_json(
        feed,
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=8 << 20),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
    ).flatten()
    return time.perf_counter() - start, table.num_rows, table["http.status"], table["user_id"]


def with_polars(feed):
    import polars

    text, number = polars.String, polars.Int64
    schema = {
        "time": text, "level": text, "service": text, "trace_id": text, "user_id": number,
        "http": polars.Struct({"method": text, "path": text, "status": number, "ms": polars.Float64}),
        "tags": polars.List(text), "message": text,
    }  # fmt: skip
    start = time.perf_counter()
    frame = polars.read_ndjson(feed, schema=schema).unnest("http")
    seconds = time.perf_counter() - start
    return seconds, frame.height, frame["status"].to_arrow(), frame["user_id"].to_arrow()


def with_duckdb(feed):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    start = time.perf_counter()
    table = connection.sql(f"""
        SELECT time, level, service, trace_id, user_id, http.method, http.path, http.status, http.ms, tags, message
        FROM read_json('{feed}', format = 'newline_delimited', columns = {{
          time: 'VARCHAR', level: 'VARCHAR', service: 'VARCHAR', trace_id: 'VARCHAR', user_id: 'BIGINT',
          http: 'STRUCT(method VARCHAR, path VARCHAR, status BIGINT, ms DOUBLE)', tags: 'VARCHAR[]', message: 'VARCHAR'}})
        """).to_arrow_table()
    return time.perf_counter() - start, table.num_rows, table["status"], table["user_id"]


READERS = {
    "streammap": with_streammap, "streammap, 2 jobs": with_two_jobs, "pyarrow.json": with_pyarrow, "polars": with_polars,
    "duckdb": with_duckdb,
}  # fmt: skip

if __name__ == "__main__":
    import pyarrow.compute

    seconds, rows, status, user = READERS[sys.argv[1]](sys.argv[2])
    checks = [pyarrow.compute.sum(column).as_py() for column in (status, user)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "rows": rows, "checks": checks, "peak": peak}))
