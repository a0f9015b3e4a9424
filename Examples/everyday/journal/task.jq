# jq
# jq has no bytes: this is right for ASCII alone.
{
  at: (.__REALTIME_TIMESTAMP | "\(.[:-6] | tonumber | todate[:-1]).\(.[-6:])Z"),
  level: {"3": "error", "4": "warning", "6": "info"}[.PRIORITY // ""],
  unit: (._SYSTEMD_UNIT | .[0]? // .),
  message: (.MESSAGE | if type == "array" then map(if . > 127 then 65533 else . end) | implode else . end)
}
