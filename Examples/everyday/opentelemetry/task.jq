# jq
def long: "000000000" + .;
def value: .value | .stringValue // .intValue // .doubleValue // .boolValue;
.resourceSpans[]
| (first(.resource.attributes[] | select(.key == "service.name") | value) // "unknown") as $service
| .scopeSpans[] | .scope.name as $scope | .spans[] | {
  $service,
  $scope,
  span: .spanId,
  name,
  start: (.startTimeUnixNano | long | "\(.[:-9] | tonumber | todate[:-1]).\(.[-9:])Z"),
  nanos: ([.endTimeUnixNano, .startTimeUnixNano | long | [.[:-9], .[-9:] | tonumber]]
    | (.[0][0] - .[1][0]) * 1e9 + .[0][1] - .[1][1]),
  attributes: (.attributes // [] | map({(.key): value}) | add // {})
}
