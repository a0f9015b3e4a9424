#!/usr/bin/env python3
"""Runs everyday tasks with stream-map and its peers: are the results equal, and what does each take?

    Benchmarks/Tasks/tasks.py --feeds Benchmarks/feeds/100 --stream-map .build/release/stream-map
    Benchmarks/Tasks/tasks.py … --size small             the first 5,000 records: is all correct?
    Benchmarks/Tasks/tasks.py … --only filter --only csv  some tasks

The tasks are data: forty.toml and keys.toml. The result is Markdown on standard output; what differs, and why a
command failed, is on standard error. The status is 1 if anything differed or failed. Needs Python 3.11, jq, mlr,
and `pip install duckdb`; a peer that is missing is left out.
"""

import argparse
import importlib.util
import itertools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import tomllib

import compare
import feeds

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["jq", "mlr", "duckdb"]
# Seconds.
SLOW = 4


def main():
    if sys.argv[1:2] == ["--sql"]:
        return query(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--feeds", required=True, type=pathlib.Path, help="folder with logs.ndjson and tweets.ndjson")
    parser.add_argument("--stream-map", required=True, type=pathlib.Path)
    parser.add_argument("--size", choices=["full", "small"], default="full")
    parser.add_argument("--only", action="append", default=[], help="a part of a task's name; may be repeated")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each command; their median counts (3)")
    parser.add_argument("--work", type=pathlib.Path, help="where derived feeds and outputs are kept")
    parser.add_argument("--commands", action="store_true", help="print each task's commands below the table")
    options = parser.parse_args()
    work = options.work or options.feeds / f"tasks-{options.size}"
    work.mkdir(parents=True, exist_ok=True)
    work = work.resolve()
    names = feeds.prepare(options.feeds.resolve(), work, 5000 if options.size == "small" else None)
    runner = Runner(names | {"sm": str(options.stream_map.resolve()), "maps": str(HERE.parent / "Mappings")}, work, options)
    failures = 0
    for file in ["forty.toml", "keys.toml"]:
        table = tomllib.loads((HERE / file).read_text())
        tasks = [t for t in table["task"] if not options.only or any(o in t["name"] for o in options.only)]
        if tasks:
            print(f"## {table['title']}\n\n{table['about']}\n")
            failures += runner.table(tasks)
    return 1 if failures else 0


def query(sql):
    """One DuckDB query, whose result goes to standard output as lines of JSON."""
    import duckdb

    if not sql.lstrip().upper().startswith("COPY"):
        sql = f"COPY ({sql}) TO '/dev/stdout' (FORMAT json)"
    duckdb.connect().execute(sql)
    return 0


class Runner:
    def __init__(self, names, work, options):
        self.names, self.work, self.options = names, work, options
        self.launcher = subprocess.Popen(
            [sys.executable, "-I", "-S", str(HERE / "launch.py")], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.peers = [p for p in PEERS if shutil.which(p)]
        if importlib.util.find_spec("duckdb"):
            self.peers.append("duckdb")
        self.peers = [p for p in PEERS if p in self.peers]

    def table(self, tasks):
        print("| Task | stream-map |", " | ".join(self.peers), "| Equal |")
        print("|---|" + "---|" * (len(self.peers) + 2))
        failures, notes, commands = 0, [], []
        for task in tasks:
            cells, verdict, failed = self.row(task)
            failures += failed
            if "note" in task:
                notes.append(task["note"])
                verdict += f" [{len(notes)}]"
            print(f"| {task['name']} | {' | '.join(cells)} | {verdict} |", flush=True)
            commands.append(self.commands(task))
        print()
        for number, note in enumerate(notes, 1):
            print(f"{number}. {note}")
        if self.options.commands:
            print("\n" + "\n".join(commands))
        print()
        return failures

    def row(self, task):
        mapping = self.work / f"{task['name'].replace(' ', '-').replace('/', '-')}.map.yaml"
        if "mapping" in task:
            mapping.write_text("streammap: 1\n" + task["mapping"])
        self.names["map"] = str(mapping)
        if "follow" in task:
            return [self.follow(task[k]) if k in task else "–" for k in self.columns("follow")], "–", 0
        tools = ["run"] + [p for p in self.peers if p in task]
        outputs, first, failed, differences, equal = {}, {}, {}, {}, []
        for tool in tools:
            outputs[tool] = self.work / f"output.{tool}"
            status, first[tool], errors = self.once(task, tool, outputs[tool])
            if status != (task.get("status", 0) if tool == "run" else 0):
                failed[tool] = f"status {status}: {errors[-400:]}"
            elif "after" in task:
                self.once(task, "after", outputs[tool])
        for tool in tools[1:]:
            rule = task["compare"] | task.get(f"compare_{tool}", {})
            if "run" in failed or tool in failed or rule["as"] == "none":
                continue
            if difference := compare.difference(outputs["run"], outputs[tool], rule):
                differences[tool] = difference
            else:
                equal.append(tool)
        for tool, reason in (failed | differences).items():
            print(f"{task['name']}: {tool}: {reason}", file=sys.stderr)
        figures = self.measure(task, {t: first[t] for t in tools if t not in failed})
        cells = [self.cell(t, failed, figures) for t in ["run"] + self.peers]
        verdict = ", ".join(equal) or "–"
        if differences:
            verdict += " (differs: " + ", ".join(differences) + ")"
        return cells, verdict, len(failed) + len(differences)

    def cell(self, tool, failed, figures):
        if tool in failed:
            return "failed"
        if tool not in figures:
            return "–"
        wall, user, peak = figures[tool]
        return f"{wall:.2f} s, {user:.2f} u, {peak / 1e6:.0f} MB"

    def columns(self, kind):
        return [kind] + [f"{kind}_{peer}" for peer in self.peers]

    def follow(self, text):
        """How long the record of a line that was just written takes to come out, while more lines may follow."""
        line = next(open(self.names["logs"], "rb"))
        with subprocess.Popen(
            ["/bin/sh", "-c", self.filled(text)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            waits = []
            for _ in range(20):
                began = time.monotonic()
                process.stdin.write(line)
                process.stdin.flush()
                process.stdout.readline()
                waits.append(time.monotonic() - began)
                time.sleep(0.01)
            process.stdin.close()
        return f"{statistics.median(waits) * 1000:.1f} ms after its line"

    def measure(self, task, first):
        """The median of runs in turn: wall and user seconds, and the peak memory of the largest process.

        The run for its output counts if a command is slow, and there is no other.
        """
        runs = {tool: [figures] if figures[0] > SLOW else [] for tool, figures in first.items()}
        for _ in range(1 if self.options.size == "small" else self.options.runs):
            for tool in first:
                if first[tool][0] <= SLOW:
                    runs[tool].append(self.once(task, tool, pathlib.Path(os.devnull))[1])
        return {tool: tuple(statistics.median(f) for f in zip(*r)) for tool, r in runs.items()}

    def once(self, task, tool, output):
        """Runs a command: its status, figures and messages."""
        text = self.filled(task[tool])
        argv = [sys.executable, str(HERE / "tasks.py"), "--sql", text] if tool == "duckdb" else ["/bin/sh", "-c", text]
        messages = self.work / "messages"
        job = {
            "argv": argv, "cwd": str(self.work), "env": dict(os.environ) | {"LC_ALL": "C"}, "out": str(output),
            "append": tool == "after", "err": str(messages),
        }
        self.launcher.stdin.write(json.dumps(job) + "\n")
        self.launcher.stdin.flush()
        status, *figures = json.loads(self.launcher.stdout.readline())
        return status, figures, messages.read_text(errors="replace").strip()

    def filled(self, text):
        for name, value in self.names.items():
            text = text.replace(f"%{name}%", value)
        return text.strip()

    def commands(self, task):
        lines = [f"### {task['name']}", ""]
        if "mapping" in task:
            lines += ["```yaml", task["mapping"].rstrip(), "```", ""]
        lines += ["```sh"]
        for tool in itertools.chain(["run"], self.peers):
            if tool in task:
                lines.append(task[tool].strip())
        return "\n".join(lines + ["```", ""])


if __name__ == "__main__":
    sys.exit(main())
