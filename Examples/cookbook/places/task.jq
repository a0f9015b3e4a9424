# jq
.features[] | select(.geometry.type == "Point") | {
  id,
  name: .properties.name,
  people: .properties.people,
  lon: .geometry.coordinates[0],
  lat: .geometry.coordinates[1]
}
