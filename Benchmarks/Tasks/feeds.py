"""Feeds that tasks need beside logs.ndjson and tweets.ndjson, made of those."""

import gzip
import itertools
import json
import shutil

OWNERS = "service,owner\ncatalogue,Ann\ncheckout,Bo\nlogin,Cy\n"


def prepare(folder, work, count):
    """The paths of all feeds by name; of the first `count` records, or of all."""
    logs = cut(folder / "logs.ndjson", work / "logs.ndjson", count)
    tweets = folder / "tweets.ndjson"
    made = {
        "doc": document, "visits": visits, "bad": bad, "features": features, "gz": compressed, "array": array,
    }
    sources = {"doc": tweets, "visits": logs, "bad": logs, "features": logs, "gz": logs, "array": logs}
    endings = {"visits": "ndjson", "bad": "ndjson", "gz": "ndjson.gz"}
    names = {"logs": str(logs), "owners": str(work / "owners.csv")}
    (work / "owners.csv").write_text(OWNERS)
    for name, make in made.items():
        path = work / f"{name}.{endings.get(name, 'json')}"
        if not path.exists():
            partial = path.with_suffix(".partial")
            # Fewer tweets: each is some ten times as long as a line of the logs.
            make(sources[name], partial, count and count // 10)
            partial.rename(path)
        names[name] = str(path)
    return names


def cut(source, target, count):
    if count is None:
        return source
    if not target.exists():
        with open(source, "rb") as feed, open(target, "wb") as out:
            out.writelines(itertools.islice(feed, count))
    return target


def document(source, target, count):
    """Tweets as one document: {"statuses": […], "search_metadata": …}."""
    with open(source, "rb") as feed, open(target, "wb") as out:
        out.write(b'{"statuses":[')
        for number, line in enumerate(itertools.islice(feed, count)):
            out.write((b",\n" if number else b"\n") + line.rstrip(b"\n"))
        out.write(b'\n],"search_metadata":{"count":100}}\n')


def array(source, target, count):
    with open(source, "rb") as feed, open(target, "wb") as out:
        for number, line in enumerate(feed):
            out.write((b",\n" if number else b"[\n") + line.rstrip(b"\n"))
        out.write(b"\n]\n")


def visits(source, target, count):
    """Lines with dates and times apart, seconds, integers of 20 digits, JSON in strings, and objects with any keys."""
    with open(source, "rb") as feed, open(target, "w", encoding="utf-8") as out:
        for line in feed:
            log = json.loads(line)
            time, http = log["time"], log["http"]
            seconds = 1_767_225_600 + log["user_id"] % 31_000_000
            out.write(json.dumps({
                "date": f"{time[8:10]}/{time[5:7]}/{time[:4]}", "clock": time[11:19], "seconds": seconds,
                "number": 10_000_000_000_000_000_000 + log["user_id"], "name": f"  {log['service'].upper()} ",
                "body": json.dumps({"status": http["status"], "path": http["path"]}),
                "attributes": {tag: len(tag) for tag in log["tags"]},
                "nick": log["service"] if log["user_id"] % 3 else None,
            }, separators=(",", ":")) + "\n")


def bad(source, target, count):
    """The logs, in which one line of a hundred is cut and one has a text where a number belongs."""
    with open(source, "rb") as feed, open(target, "wb") as out:
        for number, line in enumerate(feed):
            if number % 100 == 17:
                line = line[:40] + b"\n"
            elif number % 100 == 53:
                line = line.replace(b'"status":', b'"status":"x","was":', 1)
            out.write(line)


def features(source, target, count):
    with open(source, "rb") as feed, open(target, "w", encoding="utf-8") as out:
        out.write('{"type":"FeatureCollection","features":[')
        for number, line in enumerate(feed):
            log = json.loads(line)
            point = [log["user_id"] % 360_000_000 / 1e6 - 180, log["user_id"] % 180_000_000 / 1e6 - 90]
            out.write((",\n" if number else "\n") + json.dumps({
                "type": "Feature", "geometry": {"type": "Point", "coordinates": point},
                "properties": {"id": log["trace_id"], "name": log["service"]},
            }, separators=(",", ":")))
        out.write("\n]}\n")


def compressed(source, target, count):
    with open(source, "rb") as feed, gzip.open(target, "wb", 6) as out:
        shutil.copyfileobj(feed, out)
