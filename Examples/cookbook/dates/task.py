from everyday import *

from datetime import datetime, timedelta

for record in lines():
    seen = record.get("seen")
    ms = None if seen is None else int(Decimal(repr(seen)) * 1000)
    at = None if ms is None else (datetime(1970, 1, 1) + timedelta(milliseconds=ms)).isoformat(
        timespec="milliseconds" if ms % 1000 else "seconds") + "Z"
    put({"born": "-".join(reversed(record["born"].split("/"))), "seen": at, "ms": ms})
