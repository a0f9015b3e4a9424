from everyday import *

from decimal import ROUND_HALF_UP

for order in document()["orders"]:
    for line in order.get("lines", []):
        discount = line.get("discount")
        total = Decimal(repr(line["price"])) * line["qty"] - Decimal(repr(discount or 0))
        put({"sku": line.get("sku"), "total": number(total.quantize(Decimal("0.01"), ROUND_HALF_UP))})
