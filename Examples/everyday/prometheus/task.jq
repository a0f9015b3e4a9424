# jq
.data.result[] | .metric as $labels | .values[] | {
  job: $labels.job,
  $labels,
  at: (.[0] | "\(todate[:-1]).\(. * 1000 % 1000 + 1000 | tostring[1:])Z"),
  value: ((.[1] | tonumber | select(isinfinite | not)) // null)
}
