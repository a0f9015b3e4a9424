# jq
{
  host,
  data: (.msg | fromjson? // null),
  text: .msg,
  address: (.msg | capture("from (?<a>\\S+) port").a // null)
}
