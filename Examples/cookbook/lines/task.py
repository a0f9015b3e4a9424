from everyday import *

for order in document()["orders"]:
    for line in order.get("lines") or []:
        put({"order": order["id"], "customer": order["customer"]["name"], "sku": line.get("sku"), "qty": line["qty"]})
