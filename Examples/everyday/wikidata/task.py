from everyday import *

for item in document():
    labels = item["labels"] or {}
    label = labels.get("en") or labels.get("de") or {}
    statements = (item["claims"] or {}).get("P31", [])
    put({
        "id": item["id"],
        "label": label.get("value"),
        "classes": " ".join(
            one["mainsnak"]["datavalue"]["value"]["id"]
            for one in statements
            if one["rank"] != "deprecated" and "datavalue" in one["mainsnak"]
        ),
    })
