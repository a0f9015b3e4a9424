from everyday import *

for record in lines():
    for tag in record.get("tags") or []:
        put({"trace": record["trace"], "tag": tag})
