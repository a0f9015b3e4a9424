from everyday import *

for result in document()["Results"]:
    for one in result.get("Vulnerabilities") or []:
        put({
            "target": result["Target"],
            "id": one["VulnerabilityID"],
            "package": one["PkgName"] + "@" + one["InstalledVersion"],
            "fixed": one.get("FixedVersion"),
            "severity": one["Severity"].lower(),
            "score": max((score["V3Score"] for score in one.get("CVSS", {}).values()), default=None),
        })
