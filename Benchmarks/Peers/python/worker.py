"""Python's readers as workers: `worker.py msgspec|orjson|ijson|duckdb TASK FEED`.

`worker.py msgspec|duckdb|chdb TASK FEED OUTPUT` is no worker: it writes the output records, once.

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

    def log(self, timestamp, level, service, trace, user, method, path, status, ms, tags, message):
        self.count += 1
        if self.hashes:
            self.integer(user, 1)
            self.integer(status, 3)
            self.double(ms)
            texts = [timestamp, level, service, trace, method, path, message]
            for salt, text in enumerate(texts, 1):
                self.text(text, salt)
            for tag in tags:
                self.text(tag, 8)

    def full_tweet(self, tweet):
        """Adds a tweet that is made of structs; those that it repeats count as part of it."""
        self.integer(tweet.id, 1)
        self.text(tweet.text, 2)
        self.integer(tweet.in_reply_to_user_id or 0, 7)
        self.integer(int(tweet.possibly_sensitive is not None), 11)
        self.text(tweet.metadata.result_type, 5)
        self.text(tweet.user.profile_link_color, 6)
        self.text(tweet.user.time_zone or "", 7)
        self.integer(tweet.user.statuses_count, 13)
        if tweet.user.entities.url:
            for link in tweet.user.entities.url.urls:
                self.text(link.expanded_url, 8)
        for tag in tweet.entities.hashtags:
            self.text(tag.text, 4)
        for mention in tweet.entities.user_mentions:
            self.text(mention.name, 9)
            self.integer(sum(mention.indices), 17)
        for picture in tweet.entities.media or []:
            self.text(picture.media_url_https, 10)
            self.integer(picture.sizes["large"].w if "large" in picture.sizes else 0, 19)
        if tweet.retweeted_status:
            self.full_tweet(tweet.retweeted_status)

    def catalog(self, catalog):
        for names in [catalog.areaNames, catalog.seatCategoryNames, catalog.subTopicNames,
                      catalog.topicNames, catalog.venueNames]:
            for key, name in names.items():
                self.text(key, 1)
                self.text(name, 2)
        for key, event in catalog.events.items():
            self.text(key, 3)
            self.integer(event.id, 1)
            self.text(event.name, 4)
            self.text(event.logo or "", 5)
            for id in event.subTopicIds + event.topicIds:
                self.integer(id, 3)
        for ids in catalog.topicSubTopics.values():
            for id in ids:
                self.integer(id, 5)
        for performance in catalog.performances:
            self.integer(performance.id, 7)
            self.integer(performance.eventId, 11)
            self.integer(performance.start, 13)
            self.text(performance.venueCode, 6)
            for price in performance.prices:
                self.integer(price.amount, 17)
            for category in performance.seatCategories:
                self.integer(category.seatCategoryId, 19)
                for area in category.areas:
                    self.integer(area.areaId, 23)

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

    import structs

    decode = msgspec.json.Decoder(structs.TASKS[task]).decode
    lines = open(path, "rb").read().splitlines()

    def run(builder):
        if task == "tweets7":
            for line in lines:
                tweet = decode(line)
                builder.tweet(
                    tweet.id, tweet.created_at, tweet.text, tweet.user.screen_name,
                    tweet.user.followers_count, tweet.retweet_count,
                    [hashtag.text for hashtag in tweet.entities.hashtags])
        elif task == "logs":
            for line in lines:
                log = decode(line)
                http = log.http
                builder.log(
                    log.time, log.level, log.service, log.trace_id, log.user_id, http.method,
                    http.path, http.status, http.ms, log.tags, log.message)
        elif task == "numbers":
            for line in lines:
                for feature in decode(line).features:
                    builder.outlines(feature.geometry.coordinates)
        elif task == "tiny":
            for line in lines:
                record = decode(line)
                builder.tiny(record.id, record.name, record.ok)
        else:
            add = builder.full_tweet if task == "tweets-all" else builder.catalog
            for line in lines:
                record = decode(line)
                builder.count += 1
                if builder.hashes:
                    add(record)

    return run


def write_with_msgspec(task, path, output):
    """Writes the logs' output records, once."""
    import msgspec

    import structs

    decode = msgspec.json.Decoder(structs.Log).decode
    encode_into = msgspec.json.Encoder().encode_into
    buffer = bytearray()
    with open(path, "rb") as feed, open(output, "wb") as file:
        for line in feed:
            log = decode(line)
            http = log.http
            written = structs.Written(
                log.time, log.level, log.service, log.trace_id, log.user_id, http.method,
                http.path, http.status, http.ms, log.tags, log.message)
            encode_into(written, buffer, -1)
            buffer += b"\n"
            if len(buffer) >= 1 << 18:
                file.write(buffer)
                buffer.clear()
        file.write(buffer)


def duckdb_query(task, path, hashtag):
    """A connection, and the query that writes the records of a feed to a file."""
    import duckdb

    fields, columns = {
        "tweets7": (f"""
          id, created_at, text, user.screen_name AS screen_name,
          user.followers_count AS followers, retweet_count AS retweets,
          [{hashtag} FOR h IN entities.hashtags] AS hashtags""", """
          id: 'BIGINT', created_at: 'VARCHAR', text: 'VARCHAR',
          user: 'STRUCT(screen_name VARCHAR, followers_count BIGINT)', retweet_count: 'BIGINT',
          entities: 'STRUCT(hashtags STRUCT(text VARCHAR)[])'"""),
        "logs": ("""
          time AS timestamp, level, service, trace_id AS trace, user_id AS user,
          http.method AS method, http.path AS path, http.status AS status, http.ms AS ms, tags,
          message""", """
          time: 'VARCHAR', level: 'VARCHAR', service: 'VARCHAR', trace_id: 'VARCHAR',
          user_id: 'BIGINT',
          http: 'STRUCT(method VARCHAR, path VARCHAR, status BIGINT, ms DOUBLE)',
          tags: 'VARCHAR[]', message: 'VARCHAR'"""),
    }[task]
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    return connection, f"""
      COPY (
        SELECT {fields}
        FROM read_json('{path}', format = 'newline_delimited', columns = {{{columns}}})
      ) TO '%s' (FORMAT JSON, USE_TMP_FILE FALSE)"""


def with_duckdb(task, path):
    """A query from file to file: the one worker that reads and writes, as the commands do."""
    import os
    import tempfile

    connection, query = duckdb_query(task, path, "h.text")

    def run(builder):
        add = builder.log if task == "logs" else builder.tweet
        if not builder.hashes:
            connection.execute(query % "/dev/null")
            return
        handle, output = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            connection.execute(query % output)
            with open(output) as lines:
                for line in lines:
                    add(**json.loads(line))
        finally:
            os.unlink(output)

    return run


def write_with_duckdb(task, path, output):
    connection, query = duckdb_query(task, path, "{'text': h.text}")
    connection.execute(query % output)


def write_with_chdb(task, path, output):
    import chdb

    fields, columns = {
        "tweets7": ("""
          id, created_at, text, user.screen_name AS screen_name,
          user.followers_count AS followers, retweet_count AS retweets,
          entities.hashtags AS hashtags""", """
          id Int64, created_at String, text String,
          user Tuple(screen_name String, followers_count Int64), retweet_count Int64,
          entities Tuple(hashtags Array(Tuple(text String)))"""),
        "logs": ("""
          time AS timestamp, level, service, trace_id AS trace, user_id AS user,
          http.method AS method, http.path AS path, http.status AS status, http.ms AS ms, tags,
          message""", """
          time String, level String, service String, trace_id String, user_id Int64,
          http Tuple(method String, path String, status Int64, ms Float64), tags Array(String),
          message String"""),
    }[task]
    chdb.query(f"""
      SELECT {fields} FROM file('{path}', JSONEachRow, '{columns}')
      INTO OUTFILE '{output}' APPEND FORMAT JSONEachRow
      SETTINGS max_threads = 1, input_format_parallel_parsing = 0,
        output_format_parallel_formatting = 0, output_format_json_quote_64bit_integers = 0""")


def main():
    package, task, path, *output = sys.argv[1:]
    if output:
        return globals()["write_with_" + package](task, path, output[0])
    run = globals()["with_" + package](task, path)
    for request in sys.stdin:
        builder = Builder(hashes=request.strip() == "digest")
        wall, cpu = time.perf_counter(), time.process_time()
        run(builder)
        answer = builder.answer(time.perf_counter() - wall, time.process_time() - cpu)
        print(json.dumps(answer), flush=True)


main()
