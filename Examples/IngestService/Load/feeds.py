"""Feeds of any size: events of a log, and messages with many fields."""
import json
import os
import random


def log_lines(count):
    """Lines of 315 bytes with six mapped fields."""
    chance = random.Random(1)
    lines = []
    for number in range(count):
        line = json.dumps({
            "time": f"2026-11-22T10:{number // 60 % 60:02}:{number % 60:02}Z", "level": chance.choice(["info", "warn", "error"]),
            "host": f"web-{chance.randint(1, 40):02}.example.com", "method": "GET", "path": f"/items/{chance.randint(1, 10**6)}",
            "status": chance.choice([200, 200, 200, 304, 404, 500]), "bytes": chance.randint(100, 10**6),
            "seconds": round(chance.random(), 4), "agent": "Mozilla/5.0 (X11; Linux x86_64)", "tags": ["edge", "cache", number % 7]})
        lines.append(line[:-1] + ',"pad":"' + "x" * max(0, 315 - len(line) - 11) + '"}\n')
    return "".join(lines).encode()


def tweets(count):
    """Lines of some 4.7 KB with many fields; seven are mapped."""
    chance = random.Random(2)
    user = {f"profile_{name}": f"https://img.example.com/{name}/0123456789.png" for name in (
        "image", "banner", "background", "link", "border", "fill", "text", "sidebar", "icon", "header", "footer", "tile")}
    entities = {"hashtags": [{"text": "swift", "indices": [1, 7]}] * 3, "urls": [
        {"url": "https://t.example/abc", "expanded": "https://www.example.com/a/long/path/to/somewhere.html", "indices": [10, 33]}] * 4}
    lines = []
    for number in range(count):
        text = "".join(chance.choice(["naïve ", "日本語 ", "plain words here ", "\U0001F600 ", "“quoted” "]) for _ in range(9))
        author = dict(user, id=number % 5000, screen_name=f"user_{number % 5000}", followers_count=chance.randint(0, 10**6), description=text)
        status = {"created_at": "Sun Nov 22 10:00:00 +0000 2026", "id": 10**15 + number, "text": text, "source": "<a href=\"x\">web</a>",
                  "user": author, "entities": entities, "retweet_count": chance.randint(0, 999), "lang": "en", "geo": None}
        status["retweeted_status"] = dict(status, user=dict(author, verified=False))
        lines.append(json.dumps(status, ensure_ascii=False) + "\n")
    return "".join(lines).encode()


def feed_file(folder, name, make, megabytes):
    """A file of some megabytes, and how many records it has; a smaller piece is made once and repeated."""
    piece = make(20_000 if name == "logs" else 1500)
    path = os.path.join(folder, name)
    times = max(1, round(megabytes * 1e6 / len(piece)))
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(piece)
    return path, times * piece.count(b"\n")
