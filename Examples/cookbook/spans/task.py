from everyday import *

def found(attributes, key):
    return next((one["value"].get("stringValue") for one in attributes if one["key"] == key), None)


def plain(value):
    return next((value[kind] for kind in ("stringValue", "intValue", "boolValue") if kind in value), None)


for resource in document()["resourceSpans"]:
    attributes = resource.get("resource", {}).get("attributes", [])
    for scope in resource["scopeSpans"]:
        for span in scope["spans"]:
            put({
                "service": found(attributes, "service.name"),
                "scope": scope.get("scope", {}).get("name"),
                "name": span.get("name"),
                "start": number(Decimal(span["startTimeUnixNano"]).scaleb(-9)),
                "end": number(Decimal(span["endTimeUnixNano"]).scaleb(-9)),
                "attributes": {one["key"]: plain(one["value"]) for one in span["attributes"]},
            })
