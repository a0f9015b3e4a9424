# jq
.packages | to_entries[] | select(.value.link | not) | {
  path: .key,
  name: (.key | capture("(?<n>((@[^/]+/)?[^/]+)?)$").n // ""),
  version: .value.version,
  license: .value.license,
  dev: (.value.dev // false)
}
