from everyday import *

rest, decoder = text(), json.JSONDecoder()
while rest.strip():
    value, end = decoder.raw_decode(rest.lstrip())
    rest = rest.lstrip()[end:]
    put({"id": value["id"], "b": (value.get("a") or {}).get("b")})
