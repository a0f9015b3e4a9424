# jq
.resourceSpans[]
| (first(.resource.attributes[]? | select(.key == "service.name").value.stringValue) // null) as $service
| .scopeSpans[] | .scope.name as $scope | .spans[] | {
  $service,
  $scope,
  name,
  start: (.startTimeUnixNano | tonumber / 1e9),
  end: (.endTimeUnixNano | tonumber / 1e9),
  attributes: (.attributes | map({(.key): (.value | .stringValue // .intValue // .boolValue)}) | add // {})
}
