from everyday import *

for order in document()["orders"]:
    for line in (order or {}).get("lines") or []:
        qty = line.get("qty") if isinstance(line, dict) else None
        if isinstance(qty, (int, float)) and qty >= 3:
            put({"sku": line.get("sku"), "qty": qty})
