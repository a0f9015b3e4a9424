from everyday import *

for order in document()["orders"]:
    customer = order.get("customer")
    put({"id": order["id"], "customer": customer.get("name") if isinstance(customer, dict) else None})
