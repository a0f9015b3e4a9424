# jq
.items[] | {id, title}
