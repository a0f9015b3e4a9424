"""Memory stays flat, whatever the length of the feed."""

import resource
import subprocess
import sys
import textwrap


def peak(code: str) -> int:
    """The peak of a process, in KiB."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code) + "\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"],
        capture_output=True, check=True, timeout=600,
    )
    return int(done.stdout.split()[-1])


def run(batches: int) -> int:
    return peak(f"""
        import streammap
        mapping = streammap.Mapping({{"streammap": 1, "record": {{"id": {{"from": "id", "type": "int64"}}, "s": "s"}}}},
                                    format="ndjson", batch_rows=1)
        piece = b'{{"id":1,"s":"abc"}}\\n' * 1000
        reader = streammap.open((piece for _ in range({batches} // 1000)), mapping)
        assert sum(1 for _ in reader) == {batches}
    """)


def test_a_hundred_times_as_many_batches_take_no_more_memory():
    few, many = run(1_000), run(100_000)
    assert many < few + 8 * 1024, f"{few} KiB, then {many} KiB"
