from everyday import *

for invoice in document()["data"]:
    if invoice["status"] == "void":
        continue
    currency, customer = invoice["currency"].upper(), invoice["customer"]
    for line in invoice["lines"]["data"]:
        product = (line.get("price") or {}).get("product")
        amount = Decimal(line["amount"])
        put({
            "invoice": invoice["id"],
            "customer": customer["id"] if isinstance(customer, dict) else customer,
            "line": line["id"],
            "product": product["id"] if isinstance(product, dict) else product,
            "currency": currency,
            "amount": number(amount if currency in ("JPY", "KRW") else amount / 100),
        })
