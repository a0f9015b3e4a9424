"""Compares readers: compare.py RUNS RESULT (READER FEED)…, each in a process of its own, in turns; prints a table.

A reader that begins with "spark:" runs on a cluster of its own, once.
"""

import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def once(reader, feed):
    program = ["cluster.py", reader.removeprefix("spark:")] if reader.startswith("spark:") else ["read.py", reader]
    command = [sys.executable, str(HERE / program[0]), program[1], feed]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1][:200]}
    return json.loads(lines[-1])


def main():
    runs, result, pairs = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    work = list(zip(pairs[::2], pairs[1::2]))
    found = {pair: [] for pair in work}
    for turn in range(runs):
        for reader, feed in work:
            if turn == 0 or not reader.startswith("spark:"):
                found[reader, feed].append(once(reader, feed))
    rows, sums = [], {}
    for (reader, feed), outcomes in found.items():
        size = pathlib.Path(feed).stat().st_size
        failed = [outcome["failed"] for outcome in outcomes if "failed" in outcome]
        peak = max((outcome.get("peak", 0) for outcome in outcomes), default=0)
        row = {"reader": reader, "feed": pathlib.Path(feed).name, "bytes": size, "count": len(outcomes), "peak": peak}
        if failed:
            row |= {"failed": failed[0], "seconds": outcomes[0].get("seconds")}
            print(f"  {row['feed']:<12} {reader:<20} FAILED after {row['seconds'] or 0:.1f} s: {failed[0]}  peak {peak / 1e6:.0f} MB")
        else:
            seconds = statistics.median(outcome["seconds"] for outcome in outcomes)
            row |= {"seconds": seconds, "rows": outcomes[0]["rows"], "python": outcomes[0].get("python")}
            row |= {name: outcomes[0][name] for name in ("again", "processor", "runs") if name in outcomes[0]}
            check = (outcomes[0]["rows"], *outcomes[0]["checks"])
            if sums.setdefault("all", check) != check:
                sys.exit(f"{reader} reads other rows of {feed}: {check}, not {sums['all']}")
            again = f"  again {row['again']:.2f} s, of processors {row['processor']:.2f} s" if "again" in row else ""
            print(f"  {row['feed']:<12} {reader:<20} {seconds:8.2f} s  {size / seconds / 1e6:7.0f} MB/s  peak {peak / 1e6:6.0f} MB{again}")
        rows.append(row)
    pathlib.Path(result).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(result).write_text(json.dumps(rows, indent=1) + "\n")


main()
