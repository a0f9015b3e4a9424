# jq
.orders[]
