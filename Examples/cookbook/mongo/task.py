from everyday import *

from datetime import datetime, timedelta


def moment(ms):
    at = datetime(1970, 1, 1) + timedelta(milliseconds=int(ms))
    return at.isoformat(timespec="milliseconds" if int(ms) % 1000 else "seconds") + "Z"


for record in lines():
    at, n = record["at"]["$date"], record["n"]
    put({
        "id": record["_id"]["$oid"],
        "at": moment(at["$numberLong"]) if isinstance(at, dict) else at,
        "n": int(n["$numberLong"]) if isinstance(n, dict) else n,
        "price": Number(record["price"]["$numberDecimal"]),
    })
