"""Signals stay Python's: Ctrl-C ends a reading, wherever it is, and a handler of the program's runs."""

import subprocess
import sys
import textwrap

import pytest

# In each of them nothing comes out, however long it takes. A signal comes once the reading has begun.
PLACES = {
    "a file": "streammap.open(path, NONE, on_progress=begin)",
    "a file, by several threads": "streammap.open(path, NONE, on_progress=begin, jobs=2)",
    "what Python reads": "streammap.open(endless, NONE, on_progress=begin)",
    "rejects": "streammap.open(path, WRONG, errors='skip', on_reject=begin)",
    "the file of rejects": "streammap.open(path, WRONG, rejects=path + '.bad', on_progress=begin)",
}


@pytest.mark.parametrize("place", PLACES)
def test_control_c_ends_a_reading(tmp_path, place):
    path = tmp_path / "feed.ndjson"
    path.write_bytes(b'{"id":1}\n' * 3_000_000)
    code = f"""
        import os, signal, threading
        import streammap
        before = signal.getsignal(signal.SIGINT)
        path, begun = {str(path)!r}, threading.Event()
        NONE = {{"streammap": 1, "input": {{"format": "ndjson"}}, "record": {{"id": "id"}}, "where": {{"from": "id", "equals": 0}}}}
        WRONG = {{"streammap": 1, "input": {{"format": "ndjson"}}, "record": {{"id": {{"from": "id", "type": "string"}}}}}}

        def begin(_):
            begun.set()

        def endless():
            while True:
                yield b'{{"id":1}}\\n' * 10_000

        def press():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press, daemon=True).start()
        source = {PLACES[place]}
        assert signal.getsignal(signal.SIGINT) is before
        try:
            source.read_all()
            print("nothing")
        except KeyboardInterrupt:
            print("interrupted", source.summary.is_complete)
    """
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("interrupted False\n", 0), done.stderr


def test_a_handler_of_the_program_runs_during_a_reading(tmp_path):
    path = tmp_path / "feed.ndjson"
    path.write_bytes(b'{"id":1}\n' * 3_000_000)
    code = f"""
        import os, signal, streammap
        handled, before = [], []
        signal.signal(signal.SIGUSR1, lambda *_: handled.append(1))

        def progress(summary):
            if not before:
                before.append(1)
                os.kill(os.getpid(), signal.SIGUSR1)
            elif summary.dropped < 2_000_000:
                before.append(len(handled))

        mapping = {{"streammap": 1, "record": {{"id": "id"}}, "where": {{"from": "id", "equals": 0}}}}
        streammap.open({str(path)!r}, mapping, on_progress=progress).read_all()
        print(before[-1], signal.getsignal(signal.SIGSEGV) == signal.SIG_DFL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert done.stdout == "1 True\n", done.stderr
