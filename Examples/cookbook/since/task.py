from everyday import *

for record in lines():
    if (record.get("time") or "") >= "2026-11-20T08:15:02Z":
        put({"time": record["time"], "service": record.get("service")})
