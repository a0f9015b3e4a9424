from datetime import datetime, timedelta
from everyday import *

start = datetime(1970, 1, 1)


def moment(microseconds):
    whole = start + timedelta(microseconds=microseconds)
    written = whole.isoformat(timespec="microseconds")
    while written.endswith("000"):
        written = written[:-3]
    return written.rstrip(".") + "Z"


for change in lines():
    if change is None or change["source"]["table"] != "orders":
        continue
    row = change["after"] or change["before"]
    put({
        "op": {"c": "insert", "u": "update", "d": "delete", "r": "insert"}[change["op"]],
        "id": row["id"],
        "placed": (start + timedelta(days=row["placed"])).date().isoformat(),
        "changed": moment(row["changed"]),
        "total": Number(change["after"]["total"]) if change["after"] else None,
        "at": moment(change["ts_ms"] * 1000),
    })
