from everyday import *

import gzip

for line in gzip.decompress(sys.stdin.buffer.read()).splitlines():
    record = json.loads(line, parse_float=Number)
    put({"service": record.get("service"), "ms": (record["http"] or {}).get("ms")})
