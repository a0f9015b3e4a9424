from everyday import *

for name, versions in document()["packages"].items():
    put({"name": name, "versions": [
        {"version": version, "license": next(iter(data.get("license") or []), None), "requires": len(data["require"])}
        for version, data in versions.items()
    ]})
