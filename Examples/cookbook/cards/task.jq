# jq
.card | strings | capture("^\\d{12}(?<card>\\d{4})$")
