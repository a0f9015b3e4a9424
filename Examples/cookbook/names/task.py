from everyday import *

for record in lines():
    put({
        "name": " ".join(f"{record['first']} {record['last']}".split()),
        "login": "u-" + record["last"].strip().lower().replace(" ", "-"),
        "code": str(record["id"]).rjust(4, "0"),
    })
