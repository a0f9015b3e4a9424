# jq
.data[] | select(.status != "void") | . as {id: $invoice, $customer} | (.currency | ascii_upcase) as $currency
| .lines.data[] | {
  $invoice,
  customer: ($customer | .id? // .),
  line: .id,
  product: (.price.product | .id? // .),
  $currency,
  amount: (if $currency | IN("JPY", "KRW") then .amount else .amount / 100 end)
}
