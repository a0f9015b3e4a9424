# jq
.[] | {
  id,
  label: (.labels | (.en? // .de?).value // null),
  classes: ([.claims.P31?[]? | select(.rank != "deprecated").mainsnak.datavalue.value.id // empty] | join(" "))
}
