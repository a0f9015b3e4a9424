# jq
def long: .["$numberLong"]? // . | tonumber;
{
  id: ._id["$oid"],
  at: (.at["$date"] | if type == "object" then long | "\(. / 1000 | floor | todate[:-1]).\((. % 1000 + 1000) % 1000)Z" else . end),
  n: (.n | long),
  price: (.price["$numberDecimal"] | tonumber)
}
