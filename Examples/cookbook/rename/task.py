from everyday import *

for record in lines():
    record.pop("password", None)
    if isinstance(record.get("attrs"), dict):
        record["attrs"].pop("eyes", None)
    name = record.pop("first", None)
    rest = {key: value for key, value in record.items() if key not in ("name", "source")}
    put({"name": name, "source": "crm"} | rest)
