#!/usr/bin/env python3
"""The page of scripts/bench --compare, made of invented results: what is faster than StreamMap stands first, and nothing unequal is compared."""
import json
import pathlib
import re
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish  # noqa: E402

sys.path.insert(0, str(ROOT / "Benchmarks"))
import compare  # noqa: E402


def contender(name, kind, *walls):
    return {"name": name, "kind": kind, "timings": [{"wall": wall, "cpu": wall} for wall in walls]}


RESULTS = {
    "machine": {"processor": "A processor", "cores": 2, "system": "A system", "swift": "Swift 6"}, "date": "2026-01-01T00:00:00Z", "runs": 3, "memory": [],
    "tasks": [
        {"name": "won", "summary": "what is won", "bytes": 1_000_000_000, "baseline": "yajl", "wrong": ["jq"], "contenders": [
            contender("yajl, events alone", "in process", 0.1, 0.1, 0.1), contender("StreamMap", "in process", 9, 0.5, 0.5),
            contender("msgspec", "worker", 1, 1, 1), contender("stream-map", "command", 2, 2, 2), contender("gojq", "command", 8, 8, 8)]},
        {"name": "lost", "summary": "what is lost", "bytes": None, "baseline": "yajl", "wrong": [], "contenders": [
            contender("StreamMap", "in process", 0.3, 0.3, 0.3), contender("StreamMap, in batches", "in process", 0.2, 0.2, 0.2),
            # It makes no values, so it is not what simdjson is beside.
            contender("StreamMap to bytes", "in process", 0.01, 0.01, 0.01), contender("serde_json bytes", "worker", 0.02, 0.02, 0.02),
            contender("simdjson <On-Demand>", "worker", 0.1, 0.1, 0.1), contender("stream-map", "command", 0.5, 0.5, 0.5),
            contender("Miller", "command", 0.4, 0.4, 0.4)]},
    ]}
RUN = "won: what is won\n  without ijson: Python's ijson is not installed\n"
LOST = ["- **lost**, values, from memory: simdjson <On-Demand> is 2.00 times as fast as the fastest of StreamMap.",
        "- **lost**, a command, from its start to its end: Miller is 1.25 times as fast as the fastest of StreamMap."]
ROWS = ["| **StreamMap** | values, from memory | 2 GB/s | 1.00 × |", "| msgspec | values, from memory | 1 GB/s | 0.50 × |",
        "| gojq | a command, from its start to its end | 125 MB/s | 0.25 × |", "| Miller | a command, from its start to its end | 400 ms | 1.25 × |",
        "| yajl, events alone | events alone, from memory | 10 GB/s | – |",
        "| serde_json bytes | output records, from memory | 20 ms | 0.50 × |"]

problems = []
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "results.json").write_text(json.dumps(RESULTS))
    (folder / "run.txt").write_text(RUN)
    compare.main(folder / "results.json", folder / "run.txt", folder / "page")
    page = (folder / "page" / "README.md").read_text()
    lines = page.splitlines()
    if [line for line in lines if line.startswith("- **")] != LOST:
        problems.append(f"comparison: what is faster is not {LOST}")
    problems += [f"comparison: the page lacks {text!r}" for text in [*ROWS, "the result is another one: jq.", "- not ijson: Python's ijson is not installed",
                                                                    "A processor, 2 cores"] if text not in page]
    if not 0 < page.find("## Where another one is faster") < page.find("## won") < page.find("## lost"):
        problems.append("comparison: what is faster does not stand first")
    for picture in re.findall(r"!\[\w+\]\((\S+)\)", page):
        texts = [text.text for text in ElementTree.parse(folder / "page" / picture).iter("{http://www.w3.org/2000/svg}text")]
        if "StreamMap" not in texts:
            problems.append(f"comparison: {picture} has no bar of StreamMap")

finish("comparison", f"{len(lines)} lines", problems)
