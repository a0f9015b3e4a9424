from everyday import *

from datetime import datetime, timedelta

for place in document()["locations"]:
    if (place.get("accuracy") or 101) <= 100:
        ms = int(place["timestampMs"])
        at = datetime(1970, 1, 1) + timedelta(milliseconds=ms)
        put({
            "at": at.isoformat(timespec="milliseconds" if ms % 1000 else "seconds") + "Z",
            "lat": number(Decimal(place["latitudeE7"]) / 10**7),
            "lon": number(Decimal(place["longitudeE7"]) / 10**7),
        })
