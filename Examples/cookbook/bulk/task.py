from everyday import *

for pair in lines():
    kind, action = next(iter(pair[0].items()))
    put({
        "action": "delete" if kind == "delete" else "put",
        "id": action.get("_id"),
        "source": pair[1] if len(pair) > 1 else None,
    })
