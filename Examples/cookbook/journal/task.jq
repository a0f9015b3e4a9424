# jq
{
  at: (.__REALTIME_TIMESTAMP | "000000" + . | "\(.[:-6] | tonumber | todate[:-1]).\(.[-6:])Z"),
  level: ({"3": "error", "4": "warning", "6": "info"}[.PRIORITY] // "other"),
  unit: ._SYSTEMD_UNIT,
  message: .MESSAGE,
  address: ((.MESSAGE | strings | capture("from (?<a>\\S+) port").a) // null)
}
