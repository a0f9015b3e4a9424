from datetime import datetime, timedelta
from urllib.parse import urlsplit
from everyday import *

for event in lines():
    at = datetime(1970, 1, 1) + timedelta(microseconds=int(event["event_timestamp"]))
    params = {
        one["key"]: next(value for value in one["value"].values() if value is not None)
        for one in event["event_params"]
    }
    page, day = params.get("page_location"), event["event_date"]
    session = params.get("ga_session_id")
    put({
        "day": f"{day[:4]}-{day[4:6]}-{day[6:]}",
        "at": at.isoformat(timespec="microseconds").removesuffix(".000000") + "Z",
        "event": event["event_name"],
        "session": int(session) if session else None,
        "page": {"path": urlsplit(page).path if page else None},
        "params": params,
        "total": [number(Decimal(one["price"].text) * int(one["quantity"])) for one in event["items"]],
    })
