"""The C of CColumnFiles by itself: random columns of all its types go in by the Arrow C Data Interface, and come back by other readers."""
import ctypes
import datetime
import decimal
import os
import pathlib
import random
import subprocess
import tempfile

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARQUET, ARROW_STREAM, ARROW = range(3)
OK, MEMORY, TOO_LARGE, UNSUPPORTED = range(4)
WORDS = ["", "a", "plain", "é", "\U0001F600", '"', "\\", "\x00", "x" * 40, "y" * 300, "{}", "Z", "\u2028"]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Options(ctypes.Structure):
    _fields_ = [("form", ctypes.c_int), ("level", ctypes.c_int), ("creator", ctypes.c_char_p), ("group_rows", ctypes.c_size_t),
                ("group_bytes", ctypes.c_size_t), ("group_raw_bytes", ctypes.c_size_t)]


class Piece(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t)]


class Library:
    """The C, built for this test."""

    def __init__(self, folder):
        path = os.path.join(folder, "libcolumnfiles.so")
        sources = sorted(str(source) for source in (ROOT / "Sources/CColumnFiles").glob("*.c"))
        flags = ["-std=gnu11", "-g", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
        includes = ["-I", ROOT / "Sources/CColumnFiles/include", "-I", ROOT / "Sources/CScan/include"]
        subprocess.run([os.environ.get("CC", "gcc"), *flags, *includes, *sources, "-lzstd", "-o", path], check=True)
        c = ctypes.CDLL(path)
        c.sm_column_file_create.restype = ctypes.c_void_p
        c.sm_column_file_create.argtypes = [ctypes.c_void_p, Options, ctypes.POINTER(ctypes.c_int)]
        c.sm_column_file_add.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        c.sm_column_file_end.argtypes = [ctypes.c_void_p]
        c.sm_column_file_destroy.argtypes = [ctypes.c_void_p]
        c.sm_column_file_pieces.restype = ctypes.c_size_t
        c.sm_column_file_pieces.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.POINTER(Piece))]
        self.c = c

    def write(self, schema, batches, path, form, level=1, group=(1 << 20, 32 << 20, 256 << 20)):
        """Writes batches to a file; returns the first result that is not OK, or OK."""
        memory = (ctypes.c_uint8 * 128)()
        place = ctypes.addressof(memory)
        schema._export_to_c(place)
        result = ctypes.c_int()
        file = self.c.sm_column_file_create(place, Options(form, level, b"the tests", *group), ctypes.byref(result))
        pa.Schema._import_from_c(place)
        if result.value != OK:
            return result.value
        try:
            with open(path, "wb") as to:
                self.take(file, to)
                for batch in batches:
                    batch._export_to_c(place)
                    added = self.c.sm_column_file_add(file, place)
                    if added == OK:
                        self.take(file, to)
                    pa.RecordBatch._import_from_c(place, schema)
                    if added != OK:
                        return added
                ended = self.c.sm_column_file_end(file)
                self.take(file, to)
                return ended
        finally:
            self.c.sm_column_file_destroy(file)

    def take(self, file, to):
        pieces = ctypes.POINTER(Piece)()
        for i in range(self.c.sm_column_file_pieces(file, ctypes.byref(pieces))):
            to.write(ctypes.string_at(pieces[i].bytes, pieces[i].count))


def scalar(chance):
    """A type, and what makes a value of it."""
    kinds = [(pa.bool_(), lambda: chance.random() < 0.5)]
    for bits, signed, unsigned in [(8, pa.int8(), pa.uint8()), (16, pa.int16(), pa.uint16()), (32, pa.int32(), pa.uint32()),
                                   (64, pa.int64(), pa.uint64())]:
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        kinds.append((signed, lambda low=low, high=high: chance.choice([0, low, high, chance.randint(low, high)])))
        kinds.append((unsigned, lambda bits=bits: chance.choice([0, (1 << bits) - 1, chance.randrange(1 << bits)])))
    kinds.append((pa.float32(), lambda: chance.choice([0.0, -0.0, 1.5, -2.25, 2.0**127])))
    kinds.append((pa.float64(), lambda: chance.choice([0.0, -0.0, 5e-324, chance.uniform(-1e300, 1e300)])))
    scale = chance.choice([0, 1, 10, 38])
    with decimal.localcontext(prec=50):
        kinds.append((pa.decimal128(38, scale), lambda: decimal.Decimal(
            (chance.randrange(2), tuple(int(d) for d in str(chance.choice([0, 1, 10**38 - 1, chance.randrange(10**30)]))), -scale))))
    kinds.append((pa.timestamp("us", "UTC"), lambda: EPOCH + datetime.timedelta(microseconds=chance.randint(-10**15, 10**16))))
    kinds.append((pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=chance.randint(-50000, 50000))))
    many = chance.random() < 0.5
    text = lambda: chance.choice(WORDS) + (str(chance.randrange(10**6)) if many else "")
    kinds.append((pa.string(), text))
    kinds.append((pa.binary(), lambda: text().encode()))
    return chance.choice(kinds)


def column(chance, depth, may_be_null=True):
    """A field's type, whether it may be null, and what makes a value of it."""
    share = chance.choice([0, 0, 0.1, 0.6, 1.0]) if may_be_null else 0
    kind = chance.random()
    if depth == 0 or kind < 0.5:
        type, make = scalar(chance)
    elif kind < 0.7:
        inner, inner_null, inner_make = column(chance, depth - 1)
        type = pa.list_(pa.field("item", inner, inner_null))
        most = chance.choice([0, 1, 3, 20])
        make = lambda: [inner_make() for _ in range(chance.randint(0, most))]
    elif kind < 0.8:
        inner, inner_null, inner_make = column(chance, depth - 1)
        type = pa.map_(pa.string(), pa.field("value", inner, inner_null))
        make = lambda: [("k%d" % i, inner_make()) for i in range(chance.randint(0, 3))]
    else:
        members = [("m%d" % i, column(chance, depth - 1)) for i in range(chance.randint(1, 3))]
        type = pa.struct([pa.field(name, inner, null) for name, (inner, null, _) in members])
        make = lambda: {name: inner_make() for name, (_, _, inner_make) in members}
    is_nullable = share > 0 or chance.random() < 0.3 and may_be_null
    return type, is_nullable, lambda: None if chance.random() < share else make()


def plain(value):
    """What a reader gives back, so that two readers' values can be compared."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime.datetime) and value.tzinfo:
        return value.astimezone(datetime.timezone.utc)
    return value


def rows(table):
    return [plain(row) for row in table.to_pylist()]


def check_bounds(path, table):
    """The statistics of top-level columns hold for their values."""
    metadata = pq.ParquetFile(path).metadata
    first = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        part = table.slice(first, group.num_rows)
        first += group.num_rows
        for place in range(group.num_columns):
            chunk = group.column(place)
            if "." in chunk.path_in_schema or not chunk.is_stats_set:
                continue
            values = part.column(chunk.path_in_schema)
            assert chunk.statistics.null_count == values.null_count, (path, chunk)
            if not chunk.statistics.has_min_max:
                continue
            known = [value for value in values.to_pylist() if value is not None]
            least, most = min(known), max(known)
            if pa.types.is_string(values.type):
                # In the order of their bytes.
                known.sort(key=str.encode)
                least, most = known[0], known[-1]
            assert (chunk.statistics.min, chunk.statistics.max) == (least, most), (path, chunk)


def one(library, seed, folder):
    """One random table by each form, read back."""
    chance = random.Random(seed)
    fields = [("c%d" % i, column(chance, chance.choice([0, 1, 3]))) for i in range(chance.randint(1, 6))]
    schema = pa.schema([pa.field(name, type, null) for name, (type, null, _) in fields])
    records = [{name: make() for name, (_, _, make) in fields} for _ in range(chance.choice([0, 1, 7, 8, 9, 300, 2000]))]
    size = chance.choice([1, 8, 100, 5000]) if len(records) < 500 else 700
    batches = [pa.RecordBatch.from_pylist(records[i : i + size], schema) for i in range(0, len(records), size)]
    table = pa.Table.from_batches(batches, schema)
    group = (chance.choice([1, 64, 1 << 20]), chance.choice([100, 1 << 25]), 1 << 25)
    level = chance.choice([0, 1, 3])
    path = os.path.join(folder, "file.parquet")
    assert library.write(schema, batches, path, PARQUET, level, group) == OK, seed
    back = pq.read_table(path)
    back.validate(full=True)
    assert rows(back) == rows(table), seed
    assert [back.schema.field(i).nullable for i in range(len(fields))] == [null for _, (_, null, _) in fields], seed
    check_bounds(path, table)
    assert duck(path) == duck(table), seed
    for form, name, opened in [(ARROW_STREAM, "file.arrows", pa.ipc.open_stream), (ARROW, "file.arrow", pa.ipc.open_file)]:
        path = os.path.join(folder, name)
        assert library.write(schema, batches, path, form) == OK, seed
        back = opened(path).read_all()
        back.validate(full=True)
        assert back.schema.equals(schema), seed
        assert rows(back) == rows(table), seed


def duck(source):
    """The rows of a source, as DuckDB reads them."""
    found = duckdb.sql("from source" if isinstance(source, pa.Table) else "from '%s'" % source)
    return [plain(dict(zip(found.columns, row))) for row in found.fetchall()]


def run(count, seed):
    duckdb.sql("set timezone = 'UTC'")
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        for i in range(count):
            one(library, seed + i, folder)
        for type in [pa.large_string(), pa.timestamp("ns"), pa.dictionary(pa.int8(), pa.string()), pa.list_(pa.time64("us"))]:
            schema = pa.schema([pa.field("a", type)])
            assert library.write(schema, [], os.path.join(folder, "none"), PARQUET) == UNSUPPORTED, type
    print("%d random tables: read back equal by pyarrow and DuckDB" % count)
