from everyday import *

for entry in document()["entry"]:
    resource = entry.get("resource", {})
    if resource.get("resourceType") == "Patient":
        name = resource["name"][0]
        put({
            "id": resource["id"],
            "family": name.get("family"),
            "given": " ".join(name["given"]),
            "born": resource.get("birthDate"),
            "email": ",".join(one["value"] for one in resource["telecom"] if one.get("system") == "email"),
        })
