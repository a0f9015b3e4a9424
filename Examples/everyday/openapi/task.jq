# jq
.paths | to_entries[] | .key as $path | .value | to_entries[]
| select(.key | IN("get", "put", "post", "delete", "patch", "head", "options", "trace"))
| {
  $path,
  method: (.key | ascii_upcase),
  operation: .value.operationId,
  tags: (.value.tags // [] | join(",")),
  parameters: (.value.parameters | length),
  deprecated: (.value.deprecated // false)
}
