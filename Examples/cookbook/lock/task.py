from everyday import *

for path, package in document()["packages"].items():
    if package.get("license") is not None:
        parts = path.split("/")
        name = "/".join(parts[-2:] if parts[-2].startswith("@") else parts[-1:])
        put({"name": name, "version": package.get("version"), "license": package["license"]})
