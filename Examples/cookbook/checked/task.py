from everyday import *

for line in text().splitlines():
    try:
        record = json.loads(line)
    except ValueError:
        continue
    id, qty = record.get("id"), record.get("qty")
    if isinstance(id, int) and isinstance(qty, int) and id >= 1 and 1 <= qty <= 3:
        put({"id": id, "qty": qty})
