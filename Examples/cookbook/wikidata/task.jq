# jq
.[] | select(.type == "item") | {
  id,
  label: (.labels.en.value // .labels.de.value),
  people: (.claims.P1082[0].mainsnak.datavalue.value.amount | tonumber? // null)
}
