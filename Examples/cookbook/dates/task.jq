# jq
{
  born: (.born | strptime("%d/%m/%Y") | strftime("%Y-%m-%d")),
  seen: (.seen | if . then "\(todate[:-1]).\(. * 1000 % 1000 + 1000 | tostring[1:])Z" else . end),
  ms: (.seen | if . then . * 1000 else . end)
}
