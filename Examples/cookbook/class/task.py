from everyday import *

def at_least(value, limit):
    return isinstance(value, (int, float)) and value >= limit


for record in lines():
    http = record.get("http") or {}
    kind = "error" if at_least(http.get("status"), 500) else "slow" if at_least(http.get("ms"), 1000) else "ok"
    put({"service": record.get("service"), "class": kind})
