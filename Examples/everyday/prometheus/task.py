from datetime import datetime, timedelta
from everyday import *


def moment(seconds):
    whole = datetime(1970, 1, 1) + timedelta(milliseconds=int(Decimal(str(seconds)) * 1000))
    written = whole.isoformat(timespec="milliseconds")
    return written.removesuffix(".000") + "Z"


for series in document()["data"]["result"]:
    for at, value in series["values"]:
        put({
            "job": series["metric"].get("job"),
            "labels": series["metric"],
            "at": moment(at),
            "value": None if value in ("NaN", "+Inf", "-Inf") else number(value),
        })
