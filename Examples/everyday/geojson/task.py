from everyday import *

for feature in document()["features"]:
    geometry = feature["geometry"] or {}
    points = geometry.get("coordinates", [])
    count = len(points)
    if geometry.get("type") == "Point":
        points, count = [points], 1
    elif geometry.get("type") == "Polygon":
        count = sum(len(ring) for ring in points)
        points = points[0]
    put({
        "id": feature.get("id"),
        "name": (feature["properties"] or {}).get("name"),
        "kind": geometry.get("type"),
        "lon": points[0][0] if points else None,
        "lat": points[0][1] if points else None,
        "points": count,
    })
