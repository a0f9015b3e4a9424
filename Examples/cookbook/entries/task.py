from everyday import *

for record in lines():
    attrs = record.get("attrs") or {}
    put({"id": record.get("id"), "attrs": [{"name": key, "value": value} for key, value in attrs.items()]})
