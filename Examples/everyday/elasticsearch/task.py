from everyday import *

for hit in document()["hits"]["hits"]:
    source = hit["_source"]
    user = source.pop("user", {}).get("name")
    put({"_id": hit["_id"], "_index": hit["_index"], "user": user, **source})
