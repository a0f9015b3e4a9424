from everyday import *

for order in document()["orders"]:
    big = [line for line in order["lines"] if (line.get("qty") or 0) >= 2]
    put({"id": order.get("id"), "big": [{"sku": line.get("sku"), "qty": line["qty"]} for line in big]})
