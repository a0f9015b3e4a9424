"""Starts commands and measures them, from a process that is small.

The memory of a process counts from its fork, when it is still a copy of the process that started it. So the peak of a
command cannot be told below that of this process, some 10 MB. Reads one command a line (JSON: argv, cwd, env, out,
append, err), writes one answer a line (status, wall and user seconds, peak bytes).
"""

import json
import os
import sys
import time


def main():
    for line in sys.stdin:
        job = json.loads(line)
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            start(job)
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - began
        # Kilobytes on Linux, bytes on macOS.
        peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        print(json.dumps([os.waitstatus_to_exitcode(status), wall, usage.ru_utime, peak]), flush=True)


def start(job):
    try:
        mode = os.O_APPEND if job["append"] else os.O_TRUNC
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(job["out"], os.O_WRONLY | os.O_CREAT | mode, 0o644), 1)
        os.dup2(os.open(job["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 2)
        os.chdir(job["cwd"])
        os.execve(job["argv"][0], job["argv"], job["env"])
    finally:
        os._exit(127)


main()
