import csv
import re
from datetime import datetime, timedelta
from pathlib import Path
from everyday import *

here = Path(__file__).parent
names = {row["id"]: row["name"] for row in csv.DictReader(open(here / "users.csv"))}


def moment(seconds):
    whole, fraction = seconds.split(".")
    written = (datetime(1970, 1, 1) + timedelta(seconds=int(whole))).isoformat()
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    return written + ("." + fraction if fraction else "") + "Z"


for file in sorted(here.glob("feed/*/*.json")):
    for message in json.load(open(file)):
        if "subtype" in message:
            continue
        put({
            "channel": file.parent.name,
            "day": file.stem,
            "at": moment(message["ts"]),
            "user": names.get(message["user"]),
            "text": re.sub(r"<@(\w+)>", lambda m: names.get(m[1], m[0]), message["text"]),
            "reactions": sum(one["count"] for one in message.get("reactions", [])),
        })
