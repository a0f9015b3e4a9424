from everyday import *

for record in lines():
    ms = (record.get("http") or {}).get("ms")
    if record.get("level") in ("error", "fatal") or (ms is not None and ms >= 2000):
        put(record)
