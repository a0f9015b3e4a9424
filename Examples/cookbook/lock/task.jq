# jq
.packages | to_entries[] | select(.value.license) | {
  name: (.key | capture("(?<n>(@[^/]+/)?[^/]+)$").n),
  version: .value.version,
  license: .value.license
}
