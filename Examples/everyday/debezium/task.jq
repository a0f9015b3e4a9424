# jq
def time: todate[:-1];
select(.source.table? == "orders") | (.after // .before) as $row | {
  op: {c: "insert", u: "update", d: "delete", r: "insert"}[.op],
  id: $row.id,
  placed: ($row.placed * 86400 | todate[:10]),
  changed: ($row.changed | "\(. / 1e6 | todate[:-1]).\(tostring[-6:])Z"),
  total: (.after.total | tonumber? // null),
  at: (.ts_ms | "\(. / 1e3 | todate[:-1]).\(tostring[-3:])Z")
}
