from everyday import *

for package in document()["packages"]:
    for edge in package["dependencies"]:
        put({
            "from": package["name"],
            "to": edge["name"],
            "req": edge["req"],
            "kind": edge["kind"] or "normal",
            "features": ",".join(edge["features"]),
        })
