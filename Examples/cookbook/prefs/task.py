from everyday import *

for record in lines():
    prefs = json.loads(record["prefs"])
    size = prefs.get("size")
    put({"id": record.get("id"), "prefs": {"lang": prefs.get("lang"), "size": 10 if size is None else size}})
