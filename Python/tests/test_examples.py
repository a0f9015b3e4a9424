"""The examples of the guides: each block of Python runs, and gives what the comment under a line says."""

import ast
import pathlib
import re
import shutil

import pytest

GUIDES = pathlib.Path(__file__).resolve().parents[2] / "Sources/StreamMap/StreamMap.docc"
ENGINES = ["DuckDB", "polars", "pandas", "pyarrow's data sets", "Dask"]


def block(text: str) -> str:
    return re.search(r"^```python\n(.*?)^```", text, re.M | re.S).group(1)


def test_each_engine_has_its_example():
    assert re.findall(r"^## (?!Overview)(.*)$", (GUIDES / "Engines.md").read_text(), re.M) == ENGINES


@pytest.mark.parametrize("engine", ENGINES)
def test_the_guide_to_engines(engine, root, tmp_path, monkeypatch):
    for module in re.findall("duckdb|polars|pandas|dask", engine.lower()):
        pytest.importorskip(module)
    prepared(root, tmp_path)
    monkeypatch.chdir(tmp_path)
    guide = (GUIDES / "Engines.md").read_text()
    run(block(guide) + block(guide[guide.index(f"## {engine}\n") :]))


def prepared(root, folder) -> None:
    """Puts what the examples read into a folder."""
    (folder / "Examples").mkdir()
    for name in ("orders.ndjson", "columns.map.yaml"):
        shutil.copy(root / "Examples" / name, folder / "Examples")


def run(code: str) -> None:
    """Runs statements; a comment under one that is an expression says its value."""
    # As in a program: what it defines may be sent to other processes.
    names: dict = {"__name__": "__main__"}
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        source = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
        said = lines[statement.end_lineno] if statement.end_lineno < len(lines) else ""
        if isinstance(statement, ast.Expr) and said.startswith("# "):
            assert repr(eval(source, names)) == said[2:], source
        else:
            exec(source, names)


def test_the_guide_to_columns(root, monkeypatch):
    polars, duckdb, pandas = map(pytest.importorskip, ("polars", "duckdb", "pandas"))
    monkeypatch.chdir(root / "Examples")
    guide = (GUIDES / "Columns.md").read_text()
    names: dict = {"polars": polars, "duckdb": duckdb, "pandas": pandas}
    exec(block(guide[guide.index("## Python\n") :]), names)
    assert names["table"].num_rows == len(names["frame"]) == names["summary"].mapped == 3
