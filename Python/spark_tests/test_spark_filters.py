"""Filters that are pushed down: the rows are those that Spark's own filters leave, and fewer are read."""

import datetime
import decimal
import pickle

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import datasource as D

import streammap.spark
from support import load

SETTING = "spark.sql.python.filterPushdown.enabled"
MAPPING = """
streammap: 1
record:
  id: { from: id, type: int64 }
  name: { from: name, type: string, nullable: true }
  price: { from: price, type: decimal, nullable: true }
  ratio: { from: ratio, type: double, nullable: true }
  at: { from: at, type: date, nullable: true }
  open: { from: open, type: bool, nullable: true }
"""


@pytest.fixture
def feeds(tmp_path):
    folder = tmp_path / "feeds"
    for day in (1, 2, 3):
        (folder / f"day={day}").mkdir(parents=True)
        with (folder / f"day={day}" / "feed.ndjson").open("w") as file:
            for number in range(50):
                parts = [f'"id":{day * 100 + number}']
                if number % 3:
                    parts.append(f'"name":"n{number % 7}é","price":{number}.25,"ratio":{number / 4}')
                if number % 4:
                    parts.append(f'"at":"2026-11-{1 + number % 28:02d}T12:00:00Z","open":{"true" if number % 2 else "false"}')
                file.write("{" + ",".join(parts) + "}\n")
    return folder


@pytest.fixture
def pushing(spark):
    spark.conf.set(SETTING, True)
    streammap.spark.register(spark)
    yield spark
    spark.conf.unset(SETTING)
    streammap.spark.register(spark)


FILTERS = [
    "id = 210", "id <> 210", "id > 210 and id <= 305", "id < 110 or id > 340", "id in (101, 305, 7)", "id not in (101, 305)", "id in (101, null)",
    "id not in (101, null)", "name = 'n3é'", "name <> 'n3é'", "name like 'n3%'", "name like '%é'", "name like '%3%'", "not name like 'n3%'",
    "name is null", "name is not null", "name <=> null", "name <=> 'n2é'", "not name <=> 'n2é'", "name > 'n3'", "price = 7.25", "price >= 40.25",
    "price < 1000000000000000000", "ratio > 5.25", "ratio <=> null", "at >= timestamp '2026-11-20 00:00:00'", "at = timestamp '2026-11-03 12:00:00'",
    "open", "not open", "open is null", "day = 2", "day <> 2", "day in (1, 3) and id % 2 = 0", "day > 3", "day is null", "id > 9000000000000000000",
    "id = cast(210 as decimal(20, 5))", "file like '%day=3%'", "price = id", "id = 210 and day = 1",
]  # fmt: skip


def test_the_rows_are_those_of_sparks_own_filters(spark, pushing, feeds):
    frame = load(pushing, feeds, MAPPING, columnNameOfInputFile="file")
    # This one gives all its rows to Spark.
    whole = spark.createDataFrame(frame.collect(), frame.schema)
    counts = []
    for filter in FILTERS:
        found = frame.filter(filter).orderBy("id").collect()
        assert found == whole.filter(filter).orderBy("id").collect(), filter
        counts.append(len(found))
    assert 0 in counts and len(set(counts)) > 15


def test_feeds_that_do_not_fit_are_not_opened(pushing, feeds):
    # Each feed is a task, where one is read at all.
    frame = load(pushing, feeds, MAPPING, columnNameOfInputFile="file", partition_bytes=1)
    assert frame.rdd.getNumPartitions() > 3
    (feeds / "day=2" / "feed.ndjson").write_text('{"id":"broken"}\n')
    assert frame.filter("day = 1").count() == frame.filter("day <> 2").count() - 50 == frame.filter("file like '%day=1%'").count() == 50
    for filter in ("day >= 2", "id = 101"):
        with pytest.raises(PySparkException, match="wrongType|expected"):
            frame.filter(filter).count()


def test_a_filter_changes_no_reject(pushing, feeds, tmp_path):
    with (feeds / "day=1" / "feed.ndjson").open("a") as file:
        file.write('{"id":"broken"}\n')
    bad = tmp_path / "bad"
    assert load(pushing, feeds, MAPPING, rejectsTo=bad).filter("id = 101").count() == 1
    assert sum(len(path.read_text().splitlines()) for path in bad.iterdir()) == 1
    kept = load(pushing, feeds, MAPPING, mode="PERMISSIVE")
    assert [row._corrupt_record for row in kept.filter("id is null").collect()] == ['{"id":"broken"}']
    assert kept.filter("id > 0 and day = 1").count() == 50
    assert load(pushing, feeds, MAPPING, rejects=True).filter("code = 'wrongType'").count() == 1


def reader(feeds, **options):
    source = streammap.spark.FilteringSource({"path": str(feeds), "mapping": MAPPING, **options})
    return source.reader(source.schema())


def left(one):
    """How many rows and tasks go to Spark, also where the reader was sent elsewhere."""
    tasks, one = pickle.loads(pickle.dumps((one.partitions(), one)))
    return sum(batch.num_rows for task in tasks for batch in one.read(task)), len(tasks)


def test_what_does_not_fit_stays_in_the_task(feeds):
    at = datetime.datetime(2026, 11, 20, tzinfo=datetime.timezone.utc)
    for filters, rows in [
        ([], 150),
        ([D.EqualTo(("id",), 210)], 1),
        ([D.Not(D.EqualTo(("id",), 210))], 149),
        ([D.GreaterThan(("id",), 120), D.LessThanOrEqual(("day",), 2)], 79),
        ([D.In(("id",), (101, None, 7))], 1),
        ([D.StringContains(("name",), "3"), D.EqualTo(("day",), 3)], 4),
        ([D.IsNull(("name",))], 51),
        ([D.Not(D.IsNull(("name",)))], 99),
        ([D.EqualTo(("price",), decimal.Decimal("7.25"))], 3),
        ([D.GreaterThanOrEqual(("at",), at)], 18),
        ([D.EqualTo(("open",), True), D.EqualTo(("day",), 1)], 25),
        # What is not understood, or is not exactly so for Spark, is left to it.
        ([D.EqualTo(("ratio",), 5.25)], 150),
        ([D.EqualTo(("id", "a"), 1)], 150),
        ([D.EqualTo(("id",), "x")], 150),
        ([D.EqualTo(("id",), 1 << 70)], 150),
        ([D.EqualTo(("id",), None)], 150),
        ([D.EqualNullSafe(("name",), None)], 150),
        ([D.Not(D.EqualNullSafe(("name",), "n2é"))], 150),
        ([D.GreaterThan(("at",), at.replace(tzinfo=None))], 150),
    ]:
        one = reader(feeds)
        # Spark looks at all of them again.
        assert one.pushFilters(filters) is filters
        assert left(one)[0] == rows, filters
    one = reader(feeds)
    one.pushFilters([D.EqualTo(("day",), 7)])
    assert left(one) == (0, 0)


def test_without_the_setting_filters_are_sparks(spark, feeds):
    assert spark.conf.get(SETTING) == "false"
    assert load(spark, feeds, MAPPING).filter("id = 210").count() == 1
