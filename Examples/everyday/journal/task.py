from datetime import datetime, timedelta
from everyday import *

for line in lines():
    at = datetime(1970, 1, 1) + timedelta(microseconds=int(line["__REALTIME_TIMESTAMP"]))
    written = at.isoformat(timespec="microseconds")
    unit, message = line["_SYSTEMD_UNIT"], line["MESSAGE"]
    put({
        "at": written.removesuffix(".000000") + "Z",
        "level": {"3": "error", "4": "warning", "6": "info"}.get(line.get("PRIORITY")),
        "unit": unit[0] if isinstance(unit, list) else unit,
        "message": bytes(message).decode(errors="replace") if isinstance(message, list) else message,
    })
