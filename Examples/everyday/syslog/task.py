import re
from everyday import *

for line in lines():
    try:
        data = json.loads(line["msg"])
    except ValueError:
        data = None
    found = re.search(r"from (\S+) port", line["msg"])
    put({"host": line["host"], "data": data, "text": line["msg"], "address": found[1] if found else None})
