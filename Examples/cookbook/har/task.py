from everyday import *

from urllib.parse import urlsplit

for entry in document()["log"]["entries"]:
    headers = entry["response"]["headers"]
    put({
        "at": entry["startedDateTime"],
        "host": urlsplit(entry["request"]["url"]).hostname,
        "status": entry["response"]["status"],
        "ms": entry["time"],
        "type": ",".join(one["value"] for one in headers if one.get("name") == "Content-Type"),
    })
