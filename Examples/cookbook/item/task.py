from everyday import *

import re

for record in lines():
    path = (record.get("http") or {}).get("path") or ""
    if path.startswith("/items/"):
        steps = re.search(r"in (\d+) steps", record["message"])
        put({"item": int(re.fullmatch(r"/items/(\d+)", path)[1]), "steps": int(steps[1])})
