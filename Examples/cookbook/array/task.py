from everyday import *

records = [{"service": record.get("service"), "level": record.get("level")} for record in lines()]
print("[\n" + ",\n".join(dump(record) for record in records) + "\n]")
