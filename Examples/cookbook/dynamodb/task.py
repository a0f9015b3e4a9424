from everyday import *

for record in lines():
    item = record["Item"]
    put({
        "id": item["id"]["S"],
        "qty": int(item["qty"]["N"]),
        "tags": item.get("tags", {}).get("SS", []),
        "city": item.get("address", {}).get("M", {}).get("city", {}).get("S"),
        "open": item.get("open", {}).get("BOOL", False),
    })
