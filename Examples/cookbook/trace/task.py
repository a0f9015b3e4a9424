from everyday import *

for event in document()["traceEvents"]:
    if event.get("ph") == "X":
        ms = Decimal(repr(event["dur"])) / 1000
        put({"name": event.get("name"), "thread": event["tid"], "ms": number(ms)})
