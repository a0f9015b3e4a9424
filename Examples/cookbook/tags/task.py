from everyday import *

for record in lines():
    put({"service": record.get("service"), "tags": ",".join(record["tags"]), "count": len(record["tags"])})
