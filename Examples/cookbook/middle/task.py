from everyday import *

records = [json.loads(line) for line in text().splitlines()[1:5] if line]
for record in records[:2]:
    put({"service": record.get("service"), "level": record.get("level")})
