# jq
.entry[].resource | select(.resourceType == "Observation") | {
  patient: (.subject.reference | ltrimstr("Patient/")),
  what: .code.text,
  value: .valueQuantity.value,
  unit: .valueQuantity.unit
}
