"""A Spark of its own, on this machine: a master, two workers, and an executor of one core in each."""

import os
import pathlib
import random
import sys
from typing import Iterator

import pyspark
import pytest
from pyspark.sql import SparkSession

import streammap.spark

ROOT = pathlib.Path(__file__).resolve().parents[2]

MAPPING = """
streammap: 1
record:
  id: { from: id, type: int64 }
  name: { from: name, type: string, nullable: true }
  price: { from: price, type: decimal, nullable: true }
  at: { from: at, type: date, nullable: true }
  small: { from: small, type: uint8, nullable: true }
  large: { from: large, type: uint64, nullable: true }
  tags: { from: tags, each: string, default: [] }
  box: { from: box, nullable: true, object: { w: { from: w, type: double } } }
  more: { from: more, map: { type: int32 }, default: {} }
  raw: { from: raw, type: json, nullable: true }
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--document-megabytes", type=int, default=8, help="how large the one document is")


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("streammap")
    settings = {
        "spark.executor.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.task.maxFailures": "4",
    }
    for name in ("PYTHONPATH", "STREAMMAP_LIBRARY"):
        if name in os.environ:
            settings[f"spark.executorEnv.{name}"] = os.environ[name]
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    streammap.spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def mapping() -> str:
    return MAPPING


def record(source: random.Random, number: int) -> bytes:
    parts = [b'"id":%d' % number]
    if number % 1000 == 999:
        parts = [b'"id":"none"']
    if source.random() < 0.9:
        parts.append(b'"name":"n\\u00e9 %d"' % source.randrange(1000))
    if source.random() < 0.9:
        parts.append(b'"price":%d.%02d' % (source.randrange(1000), source.randrange(100)))
    if source.random() < 0.9:
        parts.append(b'"at":"2026-11-%02dT12:00:%02dZ"' % (source.randrange(1, 29), source.randrange(60)))
    if source.random() < 0.8:
        parts.append(b'"small":%d,"large":%d' % (source.randrange(256), source.randrange(1 << 64)))
    if source.random() < 0.8:
        parts.append(b'"tags":[%s]' % b",".join(b'"t%d"' % tag for tag in range(source.randrange(4))))
    if source.random() < 0.8:
        parts.append(b'"box":{"w":%d.5}' % source.randrange(100))
    if source.random() < 0.8:
        parts.append(b'"more":{"a":%d},"raw":[null,{"x":%d}]' % (number % 7, number % 5))
    return b"{%s}" % b",".join(parts)


def records(bytes: int) -> Iterator[bytes]:
    source, number = random.Random(7), 0
    block: list[bytes] = []
    while bytes > 0:
        # Large feeds repeat some thousand records under other numbers.
        if number < 20_000:
            made = record(source, number)
            block.append(made)
        else:
            made = block[number % len(block)].replace(b'"id":%d,' % (number % len(block)), b'"id":%d,' % number)
        yield made
        bytes -= len(made) + 2
        number += 1


@pytest.fixture(scope="session")
def feeds(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> dict[str, pathlib.Path]:
    """The same records as lines, and as one document."""
    folder = tmp_path_factory.mktemp("feeds")
    size = pytestconfig.getoption("--document-megabytes") << 20
    lines, document = folder / "lines.ndjson", folder / "document.json"
    with lines.open("wb") as one, document.open("wb") as other:
        other.write(b'{"about":{"kept":[1,2]},\n"list":[')
        for number, made in enumerate(records(size)):
            one.write(made + b"\n")
            other.write((b",\n" if number else b"\n") + made)
        other.write(b'],"after":true}\n')
    return {"lines": lines, "document": document}
