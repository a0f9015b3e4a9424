# jq
(.event_params | map({(.key): (.value | .string_value // .int_value // .double_value)}) | add) as $params
| {
  day: (.event_date | strptime("%Y%m%d") | strftime("%Y-%m-%d")),
  at: (.event_timestamp | "\(.[:-6] | tonumber | todate[:-1]).\(.[-6:])Z"),
  event: .event_name,
  session: ($params.ga_session_id | tonumber? // null),
  page: {path: ($params.page_location | (strings | capture("//[^/]*(?<path>[^?#]*)").path) // null)},
  $params,
  total: [.items[] | .price * (.quantity | tonumber)]
}
