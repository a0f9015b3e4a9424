from everyday import *

for line in text().splitlines():
    try:
        record = json.loads(line)
        id, qty = record["id"], record["qty"]
    except (ValueError, KeyError, TypeError):
        continue
    if isinstance(qty, (int, float)) and qty == int(qty):
        put({"id": id, "qty": int(qty)})
