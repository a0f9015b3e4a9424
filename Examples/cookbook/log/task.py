from everyday import *

for record in lines():
    put({"time": record.get("time"), "level": record.get("level")})
