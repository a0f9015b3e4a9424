from everyday import *

for record in lines():
    put({"trace": record["trace"], "ms": (record["http"] or {}).get("ms")})
