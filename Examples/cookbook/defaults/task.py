from everyday import *

for record in lines():
    nick = record.get("nick")
    eyes = (record.get("attrs") or {}).get("eyes")
    seen = record.get("seen")
    put({
        "name": record.get("first"),
        "nick": record.get("first") if nick is None else nick,
        "eyes": "unknown" if eyes is None else eyes,
        "seen": seen if isinstance(seen, int) else 0,
    })
