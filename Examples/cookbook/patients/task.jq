# jq
.entry[].resource | select(.resourceType == "Patient") | {
  id,
  family: .name[0].family,
  given: (.name[0].given | join(" ")),
  born: .birthDate,
  email: ([.telecom[] | select(.system == "email").value] | join(","))
}
