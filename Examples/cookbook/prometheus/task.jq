# jq
.data.result[] | .metric.instance as $instance | .values[] | {
  $instance,
  at: (.[0] | "\(todate[:-1]).\(. * 1000 % 1000 + 1000 | tostring[1:])Z"),
  value: ((.[1] | tonumber? | select(isinfinite | not)) // null)
}
