"""The examples of the guide: pandas, polars, DuckDB."""

import pytest

import streammap


@pytest.fixture
def paths(root):
    return root / "Examples/orders.ndjson", root / "Examples/columns.map.yaml"


def test_pandas(paths):
    pandas = pytest.importorskip("pandas")
    feed, mapping = paths
    table = streammap.read(feed, mapping).read_all()
    assert str(table.to_pandas(types_mapper=pandas.ArrowDtype)["id"].dtype) == "int64[pyarrow]"
    frame = table.to_pandas()
    assert frame["customer"].tolist() == ["Ann Lee", "Böb Ünal", "Dee"]
    assert str(frame["placed"].dtype) == "datetime64[us, UTC]"


def test_polars(paths):
    polars = pytest.importorskip("polars")
    feed, mapping = paths
    frame = polars.DataFrame(streammap.read(feed, mapping))
    prices = frame.explode("items").unnest("items")["price"].drop_nulls()
    assert frame.height == 3 and float(prices.sum()) == pytest.approx(168.8)


def test_duckdb(paths):
    duckdb = pytest.importorskip("duckdb")
    feed, mapping = paths
    orders = streammap.read(feed, mapping)
    rows = duckdb.sql("select customer, len(items) from orders order by id").fetchall()
    assert rows == [("Ann Lee", 2), ("Böb Ünal", 0), ("Dee", 1)]
    assert orders is not None
