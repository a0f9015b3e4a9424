from datetime import datetime, timedelta
from everyday import *


def moment(nanoseconds):
    whole, rest = divmod(int(nanoseconds), 10**9)
    written = (datetime(1970, 1, 1) + timedelta(seconds=whole)).isoformat()
    if rest:
        digits = f"{rest:09d}"
        while digits.endswith("000"):
            digits = digits[:-3]
        written += "." + digits
    return written + "Z"


def value(attribute):
    return next(iter(attribute["value"].values()))


for resource in document()["resourceSpans"]:
    attributes = {one["key"]: value(one) for one in resource["resource"]["attributes"]}
    for scope in resource["scopeSpans"]:
        for span in scope["spans"]:
            start, end = span["startTimeUnixNano"], span["endTimeUnixNano"]
            put({
                "service": attributes.get("service.name", "unknown"),
                "scope": scope.get("scope", {}).get("name"),
                "span": span["spanId"],
                "name": span["name"],
                "start": moment(start),
                "nanos": int(end) - int(start),
                "attributes": {one["key"]: value(one) for one in span.get("attributes", [])},
            })
