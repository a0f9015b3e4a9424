from everyday import *

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

for record in (json.loads(line, parse_float=Number, parse_int=Number) for line in text().splitlines()):
    at = datetime.strptime(f"{record['date']} {record['time']}", "%d/%m/%Y %H:%M")
    at = at.replace(tzinfo=ZoneInfo("Europe/Berlin")).astimezone(timezone.utc)
    put({"at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "id": record["id"]})
