from everyday import *

for item in document():
    if item.get("type") == "item":
        labels, claims = item["labels"], item["claims"].get("P1082")
        label = labels.get("en") or labels.get("de") or {}
        people = int(claims[0]["mainsnak"]["datavalue"]["value"]["amount"]) if claims else None
        put({"id": item["id"], "label": label.get("value"), "people": people})
