"""Python's readers as workers: `worker.py msgspec|orjson|ijson|duckdb TASK FEED`.

`worker.py duckdb TASK FEED OUTPUT` is no worker: it runs the query once, from file to file.

Loads the feed, and for each line on standard input (`digest` or `run`) goes through it once and
answers with one line of JSON: wall and CPU seconds, and the digest that all contenders make (see
Digest.swift).
"""

import json
import struct
import sys
import time

MASK = (1 << 64) - 1


class Builder:
    def __init__(self, hashes):
        self.hashes = hashes
        self.count = self.integers = self.bits = self.text_bytes = self.texts = 0
        self.doubles = 0.0

    def integer(self, value, salt):
        self.integers += value * salt

    def text(self, value, salt):
        data = value.encode()
        self.text_bytes += len(data)
        value = 0xCBF29CE484222325 ^ salt
        for byte in data:
            value = ((value ^ byte) * 0x100000001B3) & MASK
        self.texts += value

    def double(self, value):
        self.doubles += value
        self.bits += struct.unpack("<Q", struct.pack("<d", value))[0]

    def tweet(self, id, created_at, text, screen_name, followers, retweets, hashtags):
        self.count += 1
        # A timed run only counts: in Python even looking at the values would be most of the time.
        if self.hashes:
            self.integer(id, 1)
            self.integer(followers, 3)
            self.integer(retweets, 5)
            self.text(created_at, 1)
            self.text(text, 2)
            self.text(screen_name, 3)
            for hashtag in hashtags:
                self.text(hashtag, 4)

    def outlines(self, rings):
        self.count += 1
        if self.hashes:
            for ring in rings:
                for point in ring:
                    for number in point:
                        self.double(number)

    def tiny(self, id, name, ok):
        self.count += 1
        if self.hashes:
            self.integer(id, 1)
            self.text(name, 1)
            self.integer(int(ok), 3)

    def answer(self, wall, cpu):
        return {
            "wall": wall, "cpu": cpu, "count": self.count, "integers": self.integers & MASK,
            "doubles": self.doubles, "bits": self.bits & MASK, "textBytes": self.text_bytes,
            "texts": self.texts & MASK,
        }


def dictionaries(records, task, builder):
    """Records as dictionaries and lists."""
    if task == "tweets7":
        for record in records:
            user = record["user"]
            builder.tweet(
                record["id"], record["created_at"], record["text"], user["screen_name"],
                user["followers_count"], record["retweet_count"],
                [hashtag["text"] for hashtag in record["entities"]["hashtags"]])
    elif task == "numbers":
        for record in records:
            for feature in record["features"]:
                builder.outlines(feature["geometry"]["coordinates"])
    else:
        raise SystemExit(f"no task {task}")


def with_orjson(task, path):
    import orjson

    lines = open(path, "rb").read().splitlines()

    def run(builder):
        dictionaries(map(orjson.loads, lines), task, builder)

    return run


def with_ijson(task, path):
    import io

    import ijson

    feed = open(path, "rb").read()

    def run(builder):
        records = ijson.items(io.BytesIO(feed), "", multiple_values=True, use_float=True)
        dictionaries(records, task, builder)

    return run


def with_msgspec(task, path):
    import msgspec

    class Hashtag(msgspec.Struct):
        text: str

    class Entities(msgspec.Struct):
        hashtags: list[Hashtag]

    class User(msgspec.Struct):
        screen_name: str
        followers_count: int

    class Tweet(msgspec.Struct):
        id: int
        created_at: str
        text: str
        user: User
        retweet_count: int
        entities: Entities

    class Geometry(msgspec.Struct):
        coordinates: list[list[list[float]]]

    class Feature(msgspec.Struct):
        geometry: Geometry

    class Outlines(msgspec.Struct):
        features: list[Feature]

    class Tiny(msgspec.Struct):
        id: int
        name: str
        ok: bool

    types = {"tweets7": Tweet, "numbers": Outlines, "tiny": Tiny}
    decode = msgspec.json.Decoder(types[task]).decode
    lines = open(path, "rb").read().splitlines()

    def run(builder):
        if task == "tweets7":
            for line in lines:
                tweet = decode(line)
                builder.tweet(
                    tweet.id, tweet.created_at, tweet.text, tweet.user.screen_name,
                    tweet.user.followers_count, tweet.retweet_count,
                    [hashtag.text for hashtag in tweet.entities.hashtags])
        elif task == "numbers":
            for line in lines:
                for feature in decode(line).features:
                    builder.outlines(feature.geometry.coordinates)
        else:
            for line in lines:
                record = decode(line)
                builder.tiny(record.id, record.name, record.ok)

    return run


def duckdb_query(path, hashtag):
    """A connection, and the query that writes the records of a feed to a file."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    return connection, f"""
      COPY (
        SELECT id, created_at, text, user.screen_name AS screen_name,
          user.followers_count AS followers, retweet_count AS retweets,
          [{hashtag} FOR h IN entities.hashtags] AS hashtags
        FROM read_json('{path}', format = 'newline_delimited', columns = {{
          id: 'BIGINT', created_at: 'VARCHAR', text: 'VARCHAR',
          user: 'STRUCT(screen_name VARCHAR, followers_count BIGINT)', retweet_count: 'BIGINT',
          entities: 'STRUCT(hashtags STRUCT(text VARCHAR)[])' }})
      ) TO '%s' (FORMAT JSON, USE_TMP_FILE FALSE)"""


def with_duckdb(task, path):
    """A query from file to file: the one worker that reads and writes, as the commands do."""
    import os
    import tempfile

    connection, query = duckdb_query(path, "h.text")

    def run(builder):
        if not builder.hashes:
            connection.execute(query % "/dev/null")
            return
        handle, output = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            connection.execute(query % output)
            with open(output) as lines:
                for line in lines:
                    builder.tweet(**json.loads(line))
        finally:
            os.unlink(output)

    return run


def main():
    package, task, path, *output = sys.argv[1:]
    if output:
        connection, query = duckdb_query(path, "{'text': h.text}")
        connection.execute(query % output[0])
        return
    run = globals()["with_" + package](task, path)
    for request in sys.stdin:
        builder = Builder(hashes=request.strip() == "digest")
        wall, cpu = time.perf_counter(), time.process_time()
        run(builder)
        answer = builder.answer(time.perf_counter() - wall, time.process_time() - cpu)
        print(json.dumps(answer), flush=True)


main()
