"""Makes a feed of log lines, and the same records as one document: feed.py FOLDER MEGABYTES.

The lines are those of LogFeed.swift, of about 315 bytes; 100 MB of different ones are repeated.
"""

import os
import random
import sys

LEVELS = ["debug", "info", "info", "info", "info", "warn", "error"]
SERVICES = ["checkout", "search", "login", "catalogue"]
METHODS = ["GET", "GET", "GET", "POST", "PUT"]
STATUSES = [200, 200, 200, 200, 201, 204, 304, 404, 500, 503]
TAGS = ["eu", "us", "canary", "mobile", "web", "beta"]
MESSAGES = [
    "request served from the cache", "request served", "upstream answered after one retry",
    'cannot read \\"limit\\": not a number', "session renewed", "item added to the basket",
]  # fmt: skip


def line(r):
    first, count = r.randrange(6), r.randrange(4)
    tags = ",".join(f'"{TAGS[(first + i) % 6]}"' for i in range(count))
    return (
        f'{{"time":"2026-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}T{r.randrange(24):02}:{r.randrange(60):02}'
        f':{r.randrange(60):02}.{r.randrange(100, 1000)}Z","level":"{r.choice(LEVELS)}","service":"{r.choice(SERVICES)}"'
        f',"trace_id":"{r.getrandbits(128):032x}","user_id":{r.randrange(1, 10**8)},"http":{{"method":"{r.choice(METHODS)}"'
        f',"path":"/v1/items/{r.randrange(1, 10**6)}","status":{r.choice(STATUSES)},"ms":{r.randrange(900)}.{r.randrange(100, 999)}}}'
        f',"tags":[{tags}],"user_agent":"Mozilla/5.0 (X11; Linux x86_64)","message":"{r.choice(MESSAGES)}"}}'
    ).encode()


def main():
    folder, size = sys.argv[1], int(sys.argv[2]) * 10**6
    os.makedirs(folder, exist_ok=True)
    source = random.Random(315)
    block, length = [], 0
    while length < min(size, 100 * 10**6):
        block.append(line(source))
        length += len(block[-1]) + 1
    repeats = max(1, round(size / length))
    lines, document = b"\n".join(block), b",\n".join(block)
    with open(f"{folder}/logs.ndjson", "wb") as file:
        for _ in range(repeats):
            file.write(lines + b"\n")
    with open(f"{folder}/logs.json", "wb") as file:
        file.write(b"[")
        for number in range(repeats):
            file.write(b",\n" * (number > 0) + document)
        file.write(b"]\n")


main()
