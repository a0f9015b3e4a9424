from everyday import *

record = lines()[0]
print(json.dumps({"service": record["service"], "http": record["http"]}, indent=2))
