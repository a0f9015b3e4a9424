# jq
.packages | to_entries[] | {
  name: .key,
  versions: [.value | to_entries[] | {version: .key, license: .value.license[0], requires: (.value.require | length)}]
}
