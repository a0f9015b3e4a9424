from everyday import *

from pathlib import Path

for file in sorted((Path(__file__).parent / "feed").iterdir()):
    for record in json.loads(file.read_text())["Records"]:
        user = record["userIdentity"]
        put({
            "at": record["eventTime"],
            "event": record.get("eventName"),
            "user": user["type"] if user.get("userName") is None else user["userName"],
            "bucket": (record["requestParameters"] or {}).get("bucketName"),
            "file": "/".join(file.parts[-3:]),
        })
