from everyday import *

for feature in document()["features"]:
    geometry, properties = feature.get("geometry") or {}, feature["properties"]
    if geometry.get("type") == "Point":
        put({
            "id": feature["id"],
            "name": properties["name"],
            "people": properties.get("people"),
            "lon": geometry["coordinates"][0],
            "lat": geometry["coordinates"][1],
        })
