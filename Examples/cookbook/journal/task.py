from everyday import *

import re
from datetime import datetime, timedelta

for entry in lines():
    us, message = int(entry["__REALTIME_TIMESTAMP"]), entry["MESSAGE"]
    places = 6 if us % 1000 else 3 if us % 10**6 else 0
    at = (datetime(1970, 1, 1) + timedelta(microseconds=us)).isoformat(timespec="microseconds")
    address = re.search(r"from (\S+) port", message) if isinstance(message, str) else None
    put({
        "at": at[:20 + places if places else 19] + "Z",
        "level": {"3": "error", "4": "warning", "6": "info"}.get(entry["PRIORITY"], "other"),
        "unit": entry.get("_SYSTEMD_UNIT"),
        "message": message,
        "address": address and address[1],
    })
