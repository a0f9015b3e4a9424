from everyday import *

for path, package in document()["packages"].items():
    if "link" in package:
        continue
    parts = path.split("/")
    name = "/".join(parts[-2:]) if len(parts) > 1 and parts[-2].startswith("@") else parts[-1]
    put({
        "path": path,
        "name": name,
        "version": package.get("version"),
        "license": package.get("license"),
        "dev": package.get("dev", False),
    })
