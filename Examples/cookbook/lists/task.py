from everyday import *

for record in lines():
    counts = [Decimal(repr(one["count"])) for one in record["restarts"]]
    put({
        "name": record.get("name"),
        "restarts": number(sum(counts, Decimal(0))),
        "restarted": sum(count >= 1 for count in counts),
        "last": record["restarts"][-1].get("pod") if counts else None,
        "service": next((one["value"] for one in record["attributes"] if one.get("key") == "service.name"), None),
    })
