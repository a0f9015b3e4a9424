"""Types: a checker takes what is right, and finds what is wrong."""

import pathlib
import subprocess
import sys
import textwrap

import pytest

RIGHT = """
    import asyncio
    import pathlib
    from typing import Any

    import streammap

    mapping = streammap.Mapping({"streammap": 1, "record": {"id": "id"}}, errors="skip", jobs=2, limits={"depth": 8})
    source = streammap.open(["a.ndjson", pathlib.Path("b.ndjson"), b"{}"], mapping, rejects="bad.ndjson", on_reject=lambda problem: problem.raw)
    again: streammap.Source = streammap.open(lambda: b"{}", "m.map.yaml", errors="reject", decimal_scale=None, timezone=None, records="$[*]")
    number: int = source.write("out.parquet").mapped
    names: list[str] = source.feeds
    rows: list[dict[str, Any]] = list(source.records())
    text: str = streammap.infer("a.ndjson", format="ndjson")
    error: streammap.StreamMapError = streammap.FeedNotFoundError(streammap.Problem("io", "none"))

    async def all() -> None:
        async for batch in source:
            print(batch)

    asyncio.run(all())
"""
WRONG = {
    'streammap.open("a", "m", erors="skip")': "erors",
    'streammap.open("a", "m", errors="ignore")': "errors",
    'streammap.open("a", "m", format="xml")': "format",
    'streammap.open("a", "m", jobs="2")': "jobs",
    'streammap.open("a", "m", limits={"dept": 1})': "dept",
    'streammap.open("a", "m", timezone="CET")': "timezone",
    "streammap.open(7, 'm')": "open",
    'streammap.Mapping("m", unseen_paths="warn")': "unseen_paths",
    'streammap.open("a", "m").write("x", "csv")': "write",
    'streammap.open("a", "m").summary.maped': "maped",
    'streammap.parts("a", "m", 2, job=1)': "job",
}


def test_a_checker_takes_what_is_right_and_finds_what_is_wrong(tmp_path):
    pytest.importorskip("mypy")
    root = pathlib.Path(__file__).resolve().parents[1]
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(textwrap.dedent(RIGHT))
    wrong.write_text("import streammap\n" + "\n".join(WRONG) + "\n")
    # The package itself is checked, too: an error in it is one in none of the lines.
    command = [sys.executable, "-m", "mypy", "--config-file", root / "pyproject.toml", "--cache-dir", tmp_path / "cache"]
    files = [right, wrong, *(root / "src/streammap").glob("_*.py")]
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=600, cwd=root / "src")
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    found = {int(line.split(":")[1]): line for line in errors if line.startswith(str(wrong))}
    assert len(found) == len(errors), done.stdout + done.stderr
    for number, (statement, said) in enumerate(WRONG.items(), 2):
        assert said in found.get(number, ""), f"{statement}: {done.stdout}"
