#!/usr/bin/env python3
"""Writes a run of the benchmarks as a page: Benchmarks/compare.py RESULTS.json RUN.txt FOLDER. scripts/bench --compare runs it.

The page has the machine, the versions of all peers, and a table and a chart for each task. What is faster than StreamMap stands first.
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

from pictures import picture

HOME = pathlib.Path(__file__).resolve().parent
# A peer is measured as StreamMap is: both make values of a feed in memory, or both write records of another shape, or both are commands.
# The bare parser makes none of these: nothing that does can be as fast.
FLOOR = "events alone, from memory"
VALUES, RECORDS, COMMAND = "values, from memory", "output records, from memory", "a command, from its start to its end"
# What says a peer's version.
VERSIONS = {
    "jq": ["jq", "--version"], "gojq": ["gojq", "--version"], "Miller": ["mlr", "--version"], "DuckDB": None, "msgspec": None, "orjson": None,
    "ijson": None, "serde_json": ["dpkg-query", "-W", "-f", "${Version}", "librust-serde-json-dev"], "rustc": ["rustc", "--version"],
    "simdjson": ["dpkg-query", "-W", "-f", "${Version}", "libsimdjson-dev"], "g++": ["g++", "--version"], "yajl": ["pkg-config", "--modversion", "yajl"],
}


def is_own(name):
    return name.lower().startswith("stream")


def group(contender):
    if contender["kind"] == "command":
        return COMMAND
    if contender["name"].startswith("yajl"):
        return FLOOR
    return RECORDS if contender["name"].endswith(" bytes") else VALUES


def wall(contender):
    return statistics.median(timing["wall"] for timing in contender["timings"])


def groups(task):
    """The contenders of a task that can be compared, the fastest first."""
    found = {}
    for contender in task["contenders"]:
        found.setdefault(group(contender), []).append((contender["name"], wall(contender)))
    return {what: sorted(contenders, key=lambda contender: contender[1]) for what, contenders in found.items()}


def lost(tasks):
    """Where a peer is faster than the fastest of StreamMap, by how much; the greatest loss first."""
    found = []
    for task in tasks:
        for what, contenders in groups(task).items():
            own = [seconds for name, seconds in contenders if is_own(name)]
            for name, seconds in contenders:
                if own and not is_own(name) and seconds < min(own):
                    found.append((min(own) / seconds, task["name"], what, name))
    return sorted(found, reverse=True)


def figure(task, seconds):
    if task.get("bytes"):
        rate = task["bytes"] / seconds / 1e9
        return f"{rate:.3g} GB/s" if rate >= 1 else f"{rate * 1e3:.3g} MB/s"
    return f"{seconds * 1e3:.3g} ms"


def charts(task):
    """A chart for each group; longer is faster."""
    panels = []
    for what, contenders in groups(task).items():
        bars = [(f"**{name}**" if is_own(name) else name, 1 / seconds, figure(task, seconds)) for name, seconds in contenders]
        panels.append((f"{task['name']}: {what}", "Longer is faster.", bars))
    return panels


def table(task):
    lines = ["| Contender | What is timed | Median | Beside the fastest of StreamMap |", "|---|---|---|---|"]
    for what, contenders in groups(task).items():
        own = min((seconds for name, seconds in contenders if is_own(name)), default=None)
        for name, seconds in contenders:
            beside = f"{own / seconds:.2f} ×" if own else "–"
            lines.append(f"| {f'**{name}**' if is_own(name) else name} | {what} | {figure(task, seconds)} | {beside} |")
    return lines


def versions():
    found = {}
    for name, command in VERSIONS.items():
        module = name.lower()
        command = command or [sys.executable, "-c", f"import importlib.metadata as m; print(m.version('{module}'))"]
        if shutil.which(command[0]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0 and done.stdout.strip():
                found[name] = done.stdout.strip().splitlines()[0]
    return found


def page(results, run, versions, date):
    machine, tasks = results["machine"], results["tasks"]
    memory = re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()) if pathlib.Path("/proc/meminfo").exists() else None
    lines = [
        "# StreamMap beside its peers", "",
        f"Measured on {date}: {machine['processor']}, {machine['cores']} cores"
        + (f", {int(memory[1]) / 1e6:.0f} GB of memory" if memory else "") + f", {machine['system']}, {machine['swift']}. "
        f"Its load was {os.getloadavg()[0]:.1f} at the end: more than 1 or 2 means that other programs ran, too, and figures are worth little. "
        f"Medians of {results['runs']} runs in turn. Before anything was timed, all results were compared; what differs was not timed.", ""]
    lost_ones = lost(tasks)
    lines += ["## Where another one is faster", ""]
    lines += [f"- **{task}**, {what}: {name} is {times:.2f} times as fast as the fastest of StreamMap." for times, task, what, name in lost_ones]
    lines += [] if lost_ones else ["Nowhere in this run."]
    for task in tasks:
        lines += ["", f"## {task['name']}", "", f"{task['summary'][:1].upper()}{task['summary'][1:].rstrip('.')}.", "",
                  f"![{task['name']}]({task['name']}.svg)", "", *table(task)]
        if task["wrong"]:
            lines += ["", "Not timed, because the result is another one: " + ", ".join(task["wrong"]) + "."]
    absent = sorted(set(re.findall(r"^ {2}without (.*)$", run, re.M)))
    lines += ["", "## What took part", ""]
    lines += [f"- {name}: {version}" for name, version in versions.items()]
    lines += [f"- not {text}" for text in absent]
    lines += ["", "The programs of the peers are written as their own users would write them, from their guides: Benchmarks/Peers in the sources says which is",
              "where. The bare parser, yajl, makes no values: it is a floor, not a peer. Values, output records and whole commands are not compared with each other.",
              "To repeat this: `scripts/bench --compare`.", ""]
    return "\n".join(lines)


def main(results, run, folder):
    results = json.loads(pathlib.Path(results).read_text())
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for task in results["tasks"]:
        (folder / f"{task['name']}.svg").write_text(picture(f"{task['name']}: {task['summary']}", charts(task)))
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    (folder / "README.md").write_text(page(results, pathlib.Path(run).read_text(), versions(), date))
    print(f"written: {folder}/README.md and a chart for each task")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
