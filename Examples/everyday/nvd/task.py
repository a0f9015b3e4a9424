from everyday import *

for entry in document()["vulnerabilities"]:
    cve = entry["cve"]
    primary = [one for one in cve["metrics"].get("cvssMetricV31", []) if one["type"] == "Primary"]
    published = cve["published"]
    while published.endswith("000"):
        published = published[:-3]
    put({
        "id": cve["id"],
        "published": published.rstrip(".") + "Z",
        "summary": next((one["value"] for one in cve["descriptions"] if one["lang"] == "en"), None),
        "score": primary[0]["cvssData"]["baseScore"] if primary else None,
        "weaknesses": list(dict.fromkeys(
            one["value"] for weakness in cve.get("weaknesses", []) for one in weakness["description"]
        )),
    })
