from everyday import *

for record in lines():
    http = record.get("http") or {}
    status = http.get("status")
    if isinstance(status, (int, float)) and status >= 500:
        put({"time": record.get("time"), "path": http.get("path")})
