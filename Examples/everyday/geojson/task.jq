# jq
.features[] | .geometry as {type: $kind, coordinates: $c}
| ($c | if $kind == "Point" then [.] elif $kind == "Polygon" then flatten(1) else . end) as $points
| {
  id,
  name: .properties.name,
  $kind,
  lon: $points[0][0],
  lat: $points[0][1],
  points: ($points | length)
}
