from everyday import *

from datetime import datetime, timedelta

for series in document()["data"]["result"]:
    for at, value in series["values"]:
        ms = int(Decimal(repr(at)) * 1000)
        moment = datetime(1970, 1, 1) + timedelta(milliseconds=ms)
        put({
            "instance": series["metric"]["instance"],
            "at": moment.isoformat(timespec="milliseconds" if ms % 1000 else "seconds") + "Z",
            "value": None if value in ("NaN", "+Inf", None) else Number(value),
        })
