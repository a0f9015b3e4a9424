from everyday import *

for entry in document()["entry"]:
    resource = entry.get("resource", {})
    if resource.get("resourceType") == "Observation":
        quantity = resource["valueQuantity"]
        put({
            "patient": resource["subject"]["reference"].removeprefix("Patient/"),
            "what": (resource.get("code") or {}).get("text"),
            "value": quantity["value"],
            "unit": quantity.get("unit"),
        })
