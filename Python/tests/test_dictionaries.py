"""Columns of texts that are dictionaries of Arrow's."""

import pickle

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

import streammap

DICTIONARY = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
MAPPING = {
    "streammap": 1,
    "record": {
        "id": {"from": "id", "type": "int64"},
        "level": {"from": "level", "type": "string?"},
        "kind": {"from": "kind", "type": "enum", "values": ["a", "b"], "default": "b"},
        "raw": {"from": "raw", "type": "json?"},
    },
}
LEVELS = [["info", None, "warn", f"é{number // 40}"][number % 4] for number in range(1000)]


@pytest.fixture
def feed() -> bytes:
    texts = ["null" if level is None else f'"{level}"' for level in LEVELS]
    return "".join(f'{{"id":{number},"level":{text}}}\n' for number, text in enumerate(texts)).encode()


@pytest.fixture
def source(feed) -> streammap.Source:
    # Twenty batches, and most of them bring texts.
    return streammap.open(feed, MAPPING, batch_rows=50, dictionary=["level", "kind"])


def test_the_rows_are_those_of_columns_of_texts(source, feed):
    table, plain = source.read_all(), streammap.open(feed, MAPPING).read_all()
    assert [field.type for field in table.schema] == [plain.schema.types[0], DICTIONARY, DICTIONARY, plain.schema.types[3]]
    assert [field.nullable for field in table.schema] == [field.nullable for field in plain.schema]
    assert table.to_pylist() == plain.to_pylist() == list(source.records())
    assert table["level"].to_pylist() == LEVELS


def test_a_dictionary_only_grows_so_a_text_has_the_same_number_in_all_batches(source):
    texts: list = []
    sizes = set()
    for batch in source:
        found = batch["level"].dictionary.to_pylist()
        assert found[: len(texts)] == texts and len(set(found)) == len(found)
        texts = found
        sizes.add(len(texts))
    assert len(sizes) > 10 and set(texts) == set(LEVELS) - {None}


def test_each_reading_has_its_own_dictionaries(source):
    first, second = source.reader(), source.reader()
    first.read_all()
    assert second.read_next_batch()["level"].dictionary.to_pylist() == ["info", "warn", "é0", "é1"]


def test_pandas_has_categories(source):
    pandas = pytest.importorskip("pandas")
    frame = source.to_pandas()
    assert list(map(str, frame.dtypes)) == ["int64[pyarrow]", "category", "category", str(pandas.ArrowDtype(source.schema.types[3]))]
    assert [None if level is pandas.NA or level != level else level for level in frame["level"]] == LEVELS
    assert frame["level"].cat.categories[:3].tolist() == ["info", "warn", "é0"]


def test_polars_has_categories_of_all_batches(source):
    polars = pytest.importorskip("polars")
    frame = source.to_polars().collect()
    assert frame.schema["level"] == polars.Categorical and frame["level"].to_list() == LEVELS
    assert source.to_polars().filter(polars.col("level") == "warn").select("id").collect()["id"].to_list() == list(range(2, 1000, 4))


def test_duckdb_takes_them_as_texts(source):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("source", source)
    rows = connection.sql("select level, count(*) from source where level in ('info', 'warn') group by 1 order by 1").fetchall()
    assert rows == [("info", 250), ("warn", 250)]


def test_files_of_columns_keep_them_and_lines_of_json_have_the_texts(source, feed, tmp_path):
    for name in ("a.parquet", "a.arrow", "a.ndjson"):
        source.write(tmp_path / name)
    read = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    assert read.schema.field("level").type == DICTIONARY and read["level"].to_pylist() == LEVELS
    with pyarrow.ipc.open_file(tmp_path / "a.arrow") as file:
        assert file.num_record_batches == 20
        read = file.read_all()
    assert read.schema.field("level").type == DICTIONARY and read["level"].to_pylist() == LEVELS
    streammap.open(feed, MAPPING).write(tmp_path / "b.ndjson")
    assert (tmp_path / "a.ndjson").read_bytes() == (tmp_path / "b.ndjson").read_bytes()


def test_the_option_stays_with_a_source_that_is_pickled_or_has_fewer_columns(source):
    assert pickle.loads(pickle.dumps(source)).schema == source.schema
    assert source.select(["level"]).read_all()["level"].to_pylist() == LEVELS
    assert source.select(["id"]).schema.types == [pyarrow.int64()]
    assert source.mapping.for_columns(["id", "level"]).schema.names == ["id", "level"]
    assert source.mapping.for_columns(["id", "level"]).schema.field("level").type == DICTIONARY


@pytest.mark.parametrize(
    "name, said",
    [
        ("levle", "there is no column of texts 'levle'; did you mean 'level'?"),
        ("other", "there is no column of texts 'other'"),
        ("id", "the column 'id' is not of texts, but of int64"),
        ("raw", "the column 'raw' is not of texts, but of extension<arrow.json>"),
    ],
)
def test_a_name_that_is_of_no_column_of_texts_is_an_error_of_the_mapping(name, said):
    with pytest.raises(streammap.MappingError, match="option 'dictionary': ") as raised:
        streammap.Mapping(MAPPING, dictionary=[name])
    assert str(raised.value).endswith(said)
    assert streammap.check(MAPPING, dictionary=name) == [{"code": "mapping", "message": str(raised.value)}]
